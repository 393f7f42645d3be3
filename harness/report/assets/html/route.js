// The state of the page in the part of its address behind `#`: filters, order, columns, and the run that is open.
// Addresses without `=` are places on the page and are left to the browser.

/** The state that the address asks for; null where it names a place on the page. */
function readAddress() {
  const hash = location.hash.slice(1);
  if (hash !== '' && !hash.includes('=')) return null;
  const given = new URLSearchParams(hash);
  const solve = given.get('solve');
  const sort = given.get('sort');
  return {
    run: given.get('run'),
    in: given.get('in'),
    solve: solve !== null && /^\d+$/.test(solve) ? Number(solve) : null,
    text: given.get('q') ?? '',
    sort: { name: sort?.replace(/^-/, '') ?? null, descending: sort?.startsWith('-') ?? false },
    columns: given.get('columns')?.split(',') ?? null,
    chosen: new Map(DIMENSIONS.map((name) => [name, given.getAll(name)])),
  };
}

/**
 * Writes the state into the address.
 * @param query the query of the table
 * @param columns the columns shown, or null for those shown at first
 * @param open { run, in?, solve? } or null
 * @param isNew whether the browser's button back should lead to what was before
 */
function writeAddress(query, columns, open, isNew = false) {
  const given = new URLSearchParams(open ?? {});
  if (query.text.trim()) given.set('q', query.text);
  if (query.sort.name) given.set('sort', `${query.sort.descending ? '-' : ''}${query.sort.name}`);
  for (const [name, values] of query.chosen) for (const value of values) given.append(name, value);
  if (columns) given.set('columns', columns.join(','));
  const hash = given.toString();
  if (location.hash.slice(1) === hash) return;
  const address = hash === '' ? location.href.replace(/#.*/, '') : `#${hash}`;
  // Browsers refuse too many at once, as while a key is held; the next one says it.
  try { history[isNew ? 'pushState' : 'replaceState'](null, '', address); } catch { /* see above */ }
}
