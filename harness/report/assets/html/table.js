// The table of runs: only the rows in view are in the document, whatever their number.

/** Rows kept ready above and below those in view. */
const SPARE_ROWS = 12;
/** Rows from which the width of a column is taken. */
const SAMPLED_ROWS = 200;

class RunsTable {
  /**
   * @param box the scrolling element
   * @param store the runs
   * @param events { open(row), sort(name, descending) }
   */
  constructor(box, store, events) {
    Object.assign(this, { box, store, events, rows: new Uint32Array(0), names: [], current: 0, drawn: new Map() });
    this.head = el('tr');
    this.body = el('tbody');
    // Where the rows above and below would be.
    this.above = el('tr', { class: 'gap', 'aria-hidden': 'true' }, el('td'));
    this.below = el('tr', { class: 'gap', 'aria-hidden': 'true' }, el('td'));
    this.table = el('table', { class: 'runs', 'aria-label': 'Runs' }, el('colgroup'), el('thead', {}, this.head), this.body);
    this.body.append(this.above, this.below);
    box.replaceChildren(this.table);
    box.addEventListener('scroll', framed(() => this.draw()), { passive: true });
    new ResizeObserver(framed(() => this.draw())).observe(box);
    this.body.addEventListener('click', (event) => this.#clicked(event));
    this.body.addEventListener('keydown', (event) => this.#pressed(event));
    this.body.addEventListener('focusin', (event) => {
      const line = event.target.closest('tr[data-at]');
      if (line) this.#choose(Number(line.dataset.at));
    });
  }

  /** Shows these columns, sorted as said. */
  setColumns(names, sort) {
    this.names = names;
    const widths = names.map((name) => this.#width(name));
    this.table.querySelector('colgroup').replaceChildren(...widths.map((width) => el('col', { style: `width:${width}ch` })));
    this.box.style.setProperty('--first-column', `${widths[0]}ch`);
    this.table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}ch`;
    this.table.setAttribute('aria-colcount', names.length);
    this.head.replaceChildren(...names.map((name) => this.#heading(name, sort)));
    this.head.setAttribute('aria-rowindex', 1);
    for (const gap of [this.above, this.below]) gap.firstChild.colSpan = names.length;
    this.#forget();
    this.draw();
  }

  /** Shows these rows, from the first. */
  setRows(rows) {
    this.rows = rows;
    this.current = 0;
    this.isChosen = false;
    this.table.setAttribute('aria-rowcount', rows.length + 1);
    this.box.scrollTop = 0;
    this.#forget();
    this.draw();
  }

  /** Marks the run that is open, and brings it into view. */
  mark(row) {
    const at = row === null ? -1 : this.rows.indexOf(row);
    if (at >= 0) { this.#choose(at); this.#show(at); }
  }

  /** Gives the focus to the current row. */
  focus() {
    this.#show(this.current);
    this.drawn.get(this.current)?.querySelector('a').focus();
  }

  draw() {
    const { height, top } = this.#measure();
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - SPARE_ROWS);
    const shownRows = Math.ceil((this.box.clientHeight - top) / height);
    const last = Math.min(this.rows.length, Math.floor(this.box.scrollTop / height) + shownRows + SPARE_ROWS);
    let lost = false;
    for (const [at, line] of this.drawn) {
      if (at >= first && at < last) continue;
      lost ||= line.contains(document.activeElement);
      line.remove();
      this.drawn.delete(at);
    }
    let before = this.above;
    for (let at = first; at < last; at += 1) {
      let line = this.drawn.get(at);
      if (!line) {
        line = this.#line(at);
        this.drawn.set(at, line);
        before.after(line);
      }
      before = line;
    }
    this.above.firstChild.style.height = `${first * height}px`;
    this.below.firstChild.style.height = `${Math.max(0, this.rows.length - last) * height}px`;
    // The focus must not fall back to the top of the page when its row is scrolled away.
    if (lost) this.box.focus({ preventScroll: true });
    if (!this.drawn.has(this.current)) this.drawn.get(Math.max(first, 0))?.querySelector('a').setAttribute('tabindex', 0);
  }

  #forget() {
    for (const line of this.drawn.values()) line.remove();
    this.drawn.clear();
  }

  #measure() {
    const style = getComputedStyle(this.box);
    return { height: parseFloat(style.getPropertyValue('--row')) || 32, top: this.head.offsetHeight };
  }

  /** Characters that the values of a column need, and its heading. */
  #width(name) {
    const column = this.store.column(name);
    const step = Math.max(1, Math.floor(this.store.size / SAMPLED_ROWS));
    let most = 0;
    if (column.words && column.words.length <= 2000) {
      for (const word of column.words) most = Math.max(most, word.length);
    } else {
      for (let row = 0; row < this.store.size; row += step) most = Math.max(most, this.store.text(name, row).length);
    }
    return Math.min(Math.max(most + 3.5, columnInfo(name).heading.length + 5, 7), 38);
  }

  #heading(name, sort) {
    const { heading } = columnInfo(name);
    const active = sort.name === name;
    const order = active ? (sort.descending ? 'descending' : 'ascending') : null;
    const arrow = el('span', { class: 'arrow', 'aria-hidden': 'true' });
    const button = el('button', {
      type: 'button',
      click: () => this.events.sort(name, active && !sort.descending),
    }, heading, arrow);
    const numeric = Boolean(this.store.column(name).values);
    return el('th', { scope: 'col', 'aria-sort': order, class: numeric ? 'number' : null, 'data-column': name }, button);
  }

  #line(at) {
    const row = this.rows[at];
    const cells = this.names.map((name, index) => this.#cell(name, row, index === 0, at));
    return el('tr', { 'data-at': at, 'aria-rowindex': at + 2, class: this.isChosen && at === this.current ? 'current' : null }, cells);
  }

  #cell(name, row, isFirst, at) {
    const text = this.store.text(name, row);
    const numeric = Boolean(this.store.column(name).values);
    const attributes = { class: numeric ? 'number' : null, title: text.length > 30 ? text : null };
    if (isFirst) {
      const href = `#${new URLSearchParams(this.store.address(row))}`;
      const link = el('a', { href, tabindex: at === this.current ? 0 : -1 }, text || 'open');
      return el('th', { scope: 'row', ...attributes }, link);
    }
    if (name === 'category') {
      return el('td', { class: `category ${text}` }, `${CATEGORY_SIGNS[text] ?? ''} ${text}`.trim());
    }
    return el('td', attributes, text);
  }

  #choose(at) {
    const change = (index, isCurrent) => {
      const line = this.drawn.get(index);
      line?.classList.toggle('current', isCurrent);
      line?.querySelector('a').setAttribute('tabindex', isCurrent ? 0 : -1);
    };
    change(this.current, false);
    this.current = at;
    this.isChosen = true;
    change(at, true);
  }

  /** Scrolls as little as brings a row into view. */
  #show(at) {
    const { height, top } = this.#measure();
    const room = this.box.clientHeight - top - height;
    const from = at * height;
    if (from < this.box.scrollTop) this.box.scrollTop = from;
    else if (from > this.box.scrollTop + room) this.box.scrollTop = from - Math.max(room, 0);
    this.draw();
  }

  #clicked(event) {
    const line = event.target.closest('tr[data-at]');
    if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Who marks text with the mouse does not open the run; keys do.
    if (event.detail > 0 && getSelection().toString()) return;
    const at = Number(line.dataset.at);
    this.#choose(at);
    line.querySelector('a').focus({ preventScroll: true });
    this.events.open(this.rows[at]);
  }

  #pressed(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.#measure().height) - 2);
    const steps = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length,
    };
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = Math.min(Math.max(this.current + steps[event.key], 0), this.rows.length - 1);
    this.#show(at);
    this.#choose(at);
    this.drawn.get(at)?.querySelector('a').focus();
  }
}
