// Sorting of the tables that are part of the page; their feet stay below. The order in which they were written comes back with a
// third press.

/** Gives each column of a table a button that sorts its rows. */
function makeSortable(table) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  const columns = headings(table.tHead);
  const original = [...body.rows];
  let sorted = { column: -1, descending: false };
  columns.forEach((heading, column) => {
    if (!heading || heading.colSpan > 1 || heading.textContent.trim() === '') return;
    const button = el('button', { type: 'button', click: () => {
      if (sorted.column !== column) sorted = { column, descending: false };
      else if (!sorted.descending) sorted = { column, descending: true };
      else sorted = { column: -1, descending: false };
      for (const other of columns) other?.removeAttribute('aria-sort');
      if (sorted.column >= 0) heading.setAttribute('aria-sort', sorted.descending ? 'descending' : 'ascending');
      const rows = sorted.column < 0 ? original : inOrder(original, sorted);
      table.classList.toggle('sorted', sorted.column >= 0);
      body.append(...rows);
    } });
    button.append(...heading.childNodes, el('span', { class: 'arrow', 'aria-hidden': 'true' }));
    heading.append(button);
  });
}

/** The lowest heading of each column. */
function headings(head) {
  const [lowest, taken] = [[], []];
  for (const [index, row] of [...(head?.rows ?? [])].entries()) {
    let column = 0;
    for (const cell of row.cells) {
      while (taken[index]?.[column]) column += 1;
      for (let c = column; c < column + cell.colSpan; c += 1) {
        for (let r = index; r < index + cell.rowSpan; r += 1) (taken[r] ??= [])[c] = true;
        lowest[c] = cell;
      }
      column += cell.colSpan;
    }
  }
  return lowest;
}

/** Rows by a column; numbers before words, what is empty last either way. */
function inOrder(rows, { column, descending }) {
  const collator = new Intl.Collator('en', { numeric: true });
  const keyed = rows.map((row) => {
    const cell = row.cells[column];
    const text = cell?.textContent.trim() ?? '';
    const value = cell?.dataset.v === undefined ? NaN : Number(cell.dataset.v);
    return { row, text, value, rank: Number.isNaN(value) ? (text === '' || text === '—' ? 2 : 1) : 0 };
  });
  const turn = descending ? -1 : 1;
  keyed.sort((a, b) => a.rank - b.rank
    || (a.rank === 0 ? turn * (a.value - b.value) : turn * collator.compare(a.text, b.text)));
  return keyed.map((key) => key.row);
}
