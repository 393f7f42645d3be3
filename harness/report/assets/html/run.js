// The sheet of a run: all columns, its solves with pictures, the command that repeats it, log, config, host.

class RunSheet {
  /**
   * @param events { moved(step): the row that many places further in the list or null; shown(row, solve, isNew); closed() }
   */
  constructor(store, events) {
    Object.assign(this, { store, events, row: null, opener: null, solve: null });
    const button = (name, label, text, act) =>
      el('button', { type: 'button', class: name, 'aria-label': label, title: label, click: act }, text);
    this.heading = el('h2', { id: 'run-title', tabindex: -1 });
    this.steps = new Steps((index, isFirst) => { this.solve = index; if (!isFirst) this.events.shown(this.row, index, false); });
    this.content = el('div', { class: 'content' });
    this.live = el('p', { class: 'offscreen', 'data-live': '', 'aria-live': 'polite' });
    this.dialog = el('dialog', { class: 'run', 'aria-labelledby': 'run-title' },
      el('div', { class: 'head' },
        this.heading,
        el('div', { class: 'tools' },
          button('', 'Previous run of the list (k)', '↑ Previous', () => this.move(-1)),
          button('', 'Next run of the list (j)', '↓ Next', () => this.move(1)),
          button('', 'Copy link to this run', 'Copy link', (event) => copy(event.currentTarget, location.href)),
          button('close', 'Close (Esc)', '✕', () => this.dialog.close()))),
      this.live, this.content);
    this.dialog.addEventListener('close', () => this.#closed());
    this.dialog.addEventListener('keydown', (event) => this.#pressed(event));
    // The backdrop belongs to the dialog: what is pressed beside its content closes it.
    this.dialog.addEventListener('pointerdown', (event) => { if (isBeside(this.dialog, event)) this.dialog.close(); });
    document.body.append(this.dialog);
  }

  /** Opens the run of a row; `solve`: which solve to show, the last one without it. `isNew`: it was not in the address. */
  async open(row, solve, isNew) {
    if (row === this.row) { if (solve !== null && solve !== this.solve) this.steps.go(solve); return; }
    this.row = row;
    this.steps.pause();
    this.heading.textContent = this.store.title(row);
    if (!this.dialog.open) {
      this.opener = document.activeElement;
      this.dialog.showModal();
    }
    this.heading.focus({ preventScroll: true });
    this.content.replaceChildren(el('p', { class: 'none' }, 'Reading the details …'));
    this.solve = solve;
    this.events.shown(row, solve, isNew);
    let [detail, drawings, failure] = [null, NO_DRAWINGS, null];
    const experiment = this.store.experiment(row);
    try {
      detail = await details(this.store, row);
      if (detail.pictures?.some(Boolean)) drawings = await drawingsOf(experiment, this.store.value('instance', row));
    } catch (error) {
      failure = error.message;
    }
    // Another run may have been opened meanwhile.
    if (row !== this.row) return;
    this.content.replaceChildren(...this.#content(row, detail, failure));
    this.content.scrollTop = 0;
    this.dialog.dataset.ready = this.store.value('run_id', row);
    if (detail) this.steps.load(experiment, detail, drawings, solve);
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /** Goes to another run of the list. */
  move(step) {
    const row = this.events.moved(this.row, step);
    if (row === null) this.live.textContent = step > 0 ? 'This is the last run of the list.' : 'This is the first run of the list.';
    else this.open(row, null, false);
  }

  #closed() {
    this.steps.pause();
    this.row = null;
    delete this.dialog.dataset.ready;
    this.events.closed(this.opener);
  }

  #content(row, detail, failure) {
    const category = this.store.value('category', row) ?? '';
    const verdict = el('p', { class: 'verdict' },
      el('span', { class: `badge ${category}` }, `${CATEGORY_SIGNS[category] ?? ''} ${category}`.trim()),
      ` ${[this.store.value('status', row), this.store.value('termination_reason', row)].filter(Boolean).join(': ')}`,
      this.#times(row));
    const message = this.store.names.includes('message') ? this.store.value('message', row) : null;
    const remark = message && el('p', { class: 'remark' }, message);
    const failed = failure && el('p', { class: 'warning' }, `The details of this run cannot be read: ${failure}`);
    const found = detail && el('section', { class: 'found', 'aria-label': 'Iterations' }, this.steps.element, this.steps.table);
    const rest = el('section', { class: 'facts', 'aria-label': 'Details' },
      detail && this.#commands(detail), this.#columns(row), detail && this.#log(detail), this.#origin(row));
    return [el('div', { class: 'top' }, verdict, remark, failed), el('div', { class: 'two' }, found, rest)].filter(Boolean);
  }

  #times(row) {
    const time = (name, word) => (this.store.names.includes(name) && this.store.value(name, row) !== null
      ? `${this.store.text(name, row)} s ${word}` : null);
    const times = [time('solve_time_s', 'solving'), time('wall_time_s', 'in all')].filter(Boolean);
    return times.length > 0 ? `; ${times.join(', ')}` : '';
  }

  #commands({ command, verify }) {
    const line = (title, text) => [el('h3', {}, title), el('div', { class: 'command' },
      el('pre', { tabindex: 0 }, el('code', {}, text)),
      el('button', { type: 'button', click: (event) => copy(event.currentTarget, text) }, 'Copy'))];
    return [command && line('Repeat this run', command), verify && line('Check its solution', verify)];
  }

  #columns(row) {
    return grouped(this.store.names).map(([group, names]) => {
      const pairs = names.filter((name) => name !== 'message' && this.store.value(name, row) !== null)
        .map((name) => el('div', {}, el('dt', {}, columnInfo(name).heading), el('dd', {}, this.store.text(name, row))));
      return pairs.length > 0 && el('div', { class: 'group' }, el('h3', {}, group), el('dl', {}, pairs));
    });
  }

  #log({ log, log_path: path }) {
    const text = log
      ? el('pre', { class: 'log', tabindex: 0 }, log)
      : el('p', { class: 'none' }, 'The log is empty or not there.');
    return el('div', {}, el('h3', {}, 'End of the log', path && el('code', {}, ` ${path}`)), text);
  }

  #origin(row) {
    const { config, host, name } = HEAD.experiments[this.store.experiment(row)];
    return [
      host?.length > 0 && el('div', {}, el('h3', {}, 'Measured'), el('ul', {}, host.map((fact) => el('li', {}, fact)))),
      config && el('details', {}, el('summary', {}, `Config of ${name}`), el('pre', { tabindex: 0 }, config)),
    ];
  }

  #pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, key } = event;
    // Fields, and boxes that scroll sideways, keep their keys.
    if (target.matches('input, textarea, select, pre, .scroll')) return;
    if (key === ' ' && target.matches('button, summary, a')) return;
    const steps = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last', ' ': 'play' };
    if (key in steps) this.steps.act(steps[key]);
    else if (key === 'j') this.move(1);
    else if (key === 'k') this.move(-1);
    else return;
    event.preventDefault();
  }
}

/** Whether something was pressed on the backdrop of a dialog, and not on its own scrollbar or margins. */
function isBeside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  const outside = event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
  return event.target === dialog && outside;
}

/** A list of runs to choose from: those behind a mark of a chart. */
class RunList {
  /** @param events { open(row), select(label, rows) } */
  constructor(store, events) {
    this.store = store;
    this.events = events;
    this.dialog = el('dialog', { class: 'list', 'aria-labelledby': 'list-title' });
    document.body.append(this.dialog);
    this.dialog.addEventListener('pointerdown', (event) => { if (isBeside(this.dialog, event)) this.dialog.close(); });
  }

  open(title, rows) {
    const most = 100;
    const leave = (act) => () => { this.dialog.close(); act(); };
    const items = rows.slice(0, most).map((row) => el('li', {},
      el('button', { type: 'button', class: 'link', click: leave(() => this.events.open(row)) }, this.store.title(row)),
      ` ${this.store.verdict(row)}`, this.#time(row)));
    const all = rows.length > most ? `All ${count(rows.length)} in the table` : 'Show them in the table';
    this.dialog.replaceChildren(
      el('div', { class: 'head' }, el('h2', { id: 'list-title' }, title),
        el('button', { type: 'button', class: 'close', 'aria-label': 'Close (Esc)', click: () => this.dialog.close() }, '✕')),
      el('p', {}, `${plural(rows.length, 'run')}${rows.length > most ? `, the first ${most}` : ''}:`),
      el('ul', {}, items),
      el('button', { type: 'button', click: leave(() => this.events.select(title, rows)) }, all));
    this.dialog.showModal();
  }

  #time(row) {
    return this.store.names.includes('solve_time_s') && this.store.value('solve_time_s', row) !== null
      ? `, ${this.store.text('solve_time_s', row)} s` : '';
  }
}
