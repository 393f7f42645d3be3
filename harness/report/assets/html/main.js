// Brings the parts together: the table of runs, charts, the sheet of a run, and the address of the page.

class Page {
  constructor(store) {
    this.store = store;
    this.query = new Query(store);
    this.rows = new Uint32Array(0);
    this.columns = null;
    const open = (row) => this.open(row);
    this.table = new RunsTable(document.getElementById('runs-box'), store, {
      open, sort: (name, descending) => { this.query.sort = { name, descending }; this.#sorted(); this.update(); },
    });
    this.filters = new Filters(document.getElementById('filters'), this.query, {
      changed: framed(() => this.update()), columns: (name, isShown) => this.#choose(name, isShown),
    });
    this.filters.setColumns(store.names, this.#shown());
    this.sheet = new RunSheet(store, {
      moved: (row, step) => this.#neighbour(row, step),
      shown: (row, solve, isNew) => this.#opened(row, solve, isNew),
      closed: (opener) => this.#closed(opener),
    });
    const list = new RunList(store, { open, select: (label, rows) => this.#select(label, rows) });
    showCharts(store, { open, list: (title, rows) => list.open(title, rows) });
    this.read();
    // Also fired where only the part behind # changes.
    window.addEventListener('popstate', () => this.read());
  }

  /** Takes over what the address asks for. */
  read() {
    const asked = readAddress();
    if (asked === null) return;
    const { query, store } = this;
    query.text = asked.text;
    for (const [name, chosen] of query.chosen) {
      chosen.clear();
      for (const value of asked.chosen.get(name)) chosen.add(value);
    }
    query.sort = store.names.includes(asked.sort.name) ? asked.sort : { name: null, descending: false };
    const columns = asked.columns?.filter((name) => store.names.includes(name)) ?? [];
    this.columns = columns.length > 0 ? columns : null;
    this.filters.showColumns(this.#shown());
    this.#sorted();
    this.update(asked);
    const row = asked.run === null ? -1 : store.find(asked.run, asked.in);
    if (row >= 0) this.open(row, asked.solve, false);
    else {
      this.sheet.close();
      if (asked.run !== null) announce(`There is no run ${asked.run} in this report.`);
    }
    document.getElementById('missing-run').hidden = asked.run === null || row >= 0;
  }

  /** Shows what the query finds, and writes the address; `asked`: the address says so already. */
  update(asked) {
    const { rows, counts } = this.query.run();
    this.rows = rows;
    this.table.setRows(rows);
    this.filters.show(rows.length, counts);
    document.getElementById('no-runs').hidden = rows.length > 0;
    if (!asked) this.#address();
  }

  open(row, solve = null, isNew = true) {
    this.sheet.open(row, solve, isNew);
  }

  /** The columns in the table. */
  #shown() {
    if (this.columns) return this.columns;
    const { store } = this;
    const tells = (name) => ALWAYS_SHOWN.includes(name) || store.distinct(name) > 1;
    const first = FIRST_SHOWN.filter((name) => store.names.includes(name) && tells(name));
    return [...first.filter((name) => name === 'instance'), ...first.filter((name) => name !== 'instance')];
  }

  #choose(name, isShown) {
    const shownNow = this.#shown();
    const chosen = isShown ? [...shownNow, name] : shownNow.filter((other) => other !== name);
    if (chosen.length > 0) this.columns = chosen;
    this.filters.showColumns(this.#shown());
    this.#sorted();
    this.update();
  }

  #sorted() {
    const { scrollLeft } = this.table.box;
    const active = document.activeElement?.closest('th')?.dataset.column;
    this.table.setColumns(this.#shown(), this.query.sort);
    this.table.box.scrollLeft = scrollLeft;
    if (active) this.table.head.querySelector(`th[data-column="${CSS.escape(active)}"] button`)?.focus();
  }

  #address(isNew = false) {
    const { row, solve } = this.sheet;
    const open = row === null ? null : { ...this.store.address(row), ...(solve === null ? {} : { solve }) };
    writeAddress(this.query, this.columns, open, isNew);
  }

  #opened(row, solve, isNew) {
    this.#address(isNew);
    this.table.mark(row);
  }

  #closed(opener) {
    this.#address();
    if (opener?.isConnected && opener !== document.body) opener.focus();
    else this.table.focus();
  }

  /** The run that many places further in the table. */
  #neighbour(row, step) {
    const at = this.rows.indexOf(row) + step;
    return at >= 0 && at < this.rows.length ? this.rows[at] : null;
  }

  /** Shows the runs of an experiment in the table. */
  showOnly(slug) {
    this.query.clear();
    this.query.chosen.get('experiment')?.add(slug);
    this.#lead();
  }

  #select(label, rows) {
    this.query.clear();
    this.query.selection = { label, rows: new Set(rows) };
    this.#lead();
  }

  #lead() {
    this.update();
    document.getElementById('runs').scrollIntoView();
    this.table.focus();
  }
}

/** The contents in the head of the page, and beside each experiment a button that leads to its runs. */
function linkParts(page) {
  const entries = [];
  for (const section of document.querySelectorAll('section.experiment')) {
    const experiment = HEAD.experiments[Number(section.dataset.experiment)];
    const heading = section.querySelector('h2');
    const marked = section.querySelector('.warnings') ? 'marked' : null;
    entries.push(el('li', {}, el('a', { href: `#${section.id}`, class: marked }, experiment.slug)));
    const lead = () => page.showOnly(experiment.slug);
    const button = el('button', { type: 'button', class: 'link', click: lead }, plural(experiment.runs, 'run'));
    const title = el('div', { class: 'title' });
    heading.replaceWith(title);
    title.append(heading, button);
  }
  const nav = document.getElementById('contents');
  nav.append(el('ul', {}, el('li', {}, el('a', { href: '#runs' }, `Runs (${count(page.store.size)})`)), entries));
  nav.hidden = false;
  document.getElementById('footer').textContent = `Written by ${HEAD.generator}.`;
}

/**
 * The state that the address asks for behind its `#`: filters, order, columns, and the run that is open. Null where it names a
 * place on the page, which is left to the browser.
 */
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

/** Prepares the switch of the page between light and dark: as the system wants it, until the reader chooses. */
function prepareTheme(button) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stored = () => { try { return localStorage.getItem('tilebench-theme'); } catch { return null; } };
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  // What a press brings.
  const show = () => {
    button.textContent = isDark() ? '☀ Light' : '☾ Dark';
    button.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours');
  };
  if (['light', 'dark'].includes(stored())) root.dataset.theme = stored();
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    // Pages from files may not be allowed to keep anything.
    try { localStorage.setItem('tilebench-theme', root.dataset.theme); } catch { /* for this visit only */ }
    show();
  });
  dark.addEventListener('change', show);
  button.hidden = false;
  show();
}

async function start() {
  prepareTheme(document.getElementById('theme'));
  for (const table of document.querySelectorAll('figure.grid table')) makeSortable(table);
  const failed = (text) => {
    const place = document.getElementById('failure');
    place.textContent = text;
    place.hidden = false;
  };
  if (typeof DecompressionStream === 'undefined') {
    failed('This browser cannot unpack the runs (it lacks DecompressionStream): tables and pictures can be read, '
      + 'charts and single runs cannot. Browsers from May 2023 on can.');
    return;
  }
  const runs = document.getElementById('runs');
  try {
    const store = await Store.load();
    // What is not shown has no size.
    runs.hidden = false;
    linkParts(new Page(store));
    document.documentElement.dataset.ready = 'true';
  } catch (error) {
    runs.hidden = true;
    failed(`The runs cannot be shown: ${error.message}`);
    throw error;
  }
}

start();
