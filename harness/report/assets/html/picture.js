// The picture of a solve, put together from the shapes of its instance, and what it shows in words.

/** The shapes of the pictures of an instance; none where the report has no pictures of it. */
async function shapesOf(experiment, instance) {
  const name = HEAD.experiments[experiment].chunks.pictures?.[instance];
  return name ? (await chunk(name)).shapes : [];
}

/** The picture as an element. The shapes are drawings of our own, made when the report was written. */
function picture({ size: [width, height], shapes, text }, all) {
  const element = svg('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': text, class: 'board',
    'font-family': 'DejaVu Sans, Verdana, sans-serif',
  });
  element.innerHTML = shapes.map((shape) => all[shape]).join('');
  return element;
}

/** Whether a solve found anything; not every puzzle has loops. */
function hasFound({ loops, status }) {
  return typeof loops === 'number' || ['optimal', 'feasible'].includes(status);
}

/** Why there is no picture of a solve; `missing`: what the report knows of it. */
function noPicture(experiment, solve, missing) {
  if (missing) return `No picture: ${missing}.`;
  if (!hasFound(solve)) return 'This iteration found no solution to draw.';
  if (HEAD.experiments[experiment].pictures_left_out > 0) {
    return 'The picture of this iteration was left out to keep the file small; '
      + 'tilebench report --pictures all includes every picture.';
  }
  return 'There is no solution file of this iteration to draw.';
}

/** A solve in words: loops, holes, and the cuts that follow. */
function solveWords(solve, index, number) {
  const parts = [];
  if (typeof solve.loops === 'number') {
    const lengths = solve.loop_lengths ? ` of ${listed(lengthWords(String(solve.loop_lengths)))} tiles` : '';
    parts.push(`${plural(solve.loops, 'loop')}${lengths}`);
  }
  if (solve.holes > 0) parts.push(plural(solve.holes, 'hole'));
  else if (solve.holes === 0) parts.push('no holes');
  if (parts.length === 0 && hasFound(solve)) parts.push('a solution');
  const found = parts.length > 0 ? listed(parts) : `no solution (${solve.status ?? 'no status'})`;
  const cuts = solve.cuts_added > 0 ? `; ${plural(solve.cuts_added, 'cut')} added after it` : '';
  const time = typeof solve.time_s === 'number' ? `, ${seconds(solve.time_s)} s` : '';
  return `Iteration ${solve.iteration ?? index} (${index + 1} of ${number}): ${found}${cuts}${time}.`;
}

/** `12 6 6` as 12, twice 6. Long lists are cut off. */
function lengthWords(lengths) {
  const counts = new Map();
  for (const length of lengths.split(' ')) counts.set(length, (counts.get(length) ?? 0) + 1);
  const words = [...counts].map(([length, times]) => (times === 1 ? length : `${times} × ${length}`));
  return words.length > 8 ? [...words.slice(0, 7), `${words.length - 7} other lengths`] : words;
}
