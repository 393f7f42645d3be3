// The iterations of a run: their table, stepping and playing; the picture of the chosen one, put together from the shapes of
// its instance, and what it shows in words.

/** Milliseconds that an iteration is shown while playing. */
const TURN_MS = 900;
/** Rows of the table of solves at a time. */
const SOLVES_SHOWN = 200;

const ICONS = {
  first: 'M2 2h2v10h-2zM12 2v10l-7-5z', previous: 'M11 2v10l-8-5z', play: 'M3 2v10l9-5z', next: 'M3 2v10l8-5z',
  last: 'M10 2h2v10h-2zM2 2v10l7-5z', pause: 'M3 2h3v10h-3zM8 2h3v10h-3z',
};

/** Signs for buttons, drawn, since fonts lack some of them. */
function icon(name) {
  return svg('svg', { width: 14, height: 14, viewBox: '0 0 14 14', class: 'icon', 'aria-hidden': 'true' },
    svg('path', { d: ICONS[name], fill: 'currentColor' }));
}

class Steps {
  /** @param chosen called with the number of the iteration that is shown */
  constructor(chosen) {
    this.chosen = chosen;
    this.timer = null;
    this.solves = [];
    this.at = 0;
    const button = (action, label, ...content) => el('button', {
      type: 'button', 'data-step': action, 'aria-label': label, title: label, click: () => this.act(action),
    }, content);
    this.buttons = {
      first: button('first', 'First iteration (Home)', icon('first')),
      previous: button('previous', 'Previous iteration (left arrow)', icon('previous')),
      play: button('play', 'Play (space)', icon('play'), ' Play'),
      next: button('next', 'Next iteration (right arrow)', icon('next')),
      last: button('last', 'Last iteration (End)', icon('last')),
    };
    this.board = el('div', { class: 'picture' });
    this.solid = new Solid(this.board);
    this.words = el('p', { class: 'words', 'data-live': '', 'aria-live': 'polite' });
    this.slider = el('input', { type: 'range', min: 0, step: 1, 'aria-label': 'Iteration' });
    this.slider.addEventListener('input', () => { this.pause(); this.show(Number(this.slider.value)); });
    this.controls = el('div', { class: 'controls', role: 'group', 'aria-label': 'Iterations' },
      Object.values(this.buttons), this.slider);
    this.table = el('div', { class: 'scroll solves', tabindex: 0, role: 'group', 'aria-label': 'Table of iterations' });
    this.element = el('div', { class: 'steps' }, this.controls, this.words, this.solid.tools, this.board);
  }

  /** Shows a run, from the iteration of that number or from its last. */
  load(experiment, detail, drawings, at) {
    this.pause();
    const { solves, pictures } = detail;
    Object.assign(this, { experiment, solves, pictures, drawings, from: -1 });
    this.columns = this.#columns();
    this.slider.max = Math.max(solves.length - 1, 0);
    this.controls.hidden = solves.length < 2;
    if (solves.length === 0) {
      this.words.textContent = 'No iteration of this run came to its end.';
      this.solid.show('', null, drawings);
      this.table.replaceChildren();
      return;
    }
    const asked = at === null ? -1 : solves.findIndex((solve) => solve.iteration === at);
    this.show(asked < 0 ? solves.length - 1 : asked, true);
  }

  /** Shows a solve. */
  show(index, isFirst = false) {
    const { solves } = this;
    this.at = Math.min(Math.max(index, 0), solves.length - 1);
    const solve = solves[this.at];
    const drawn = this.pictures?.[this.at];
    this.words.textContent = solveWords(solve, this.at, solves.length);
    if (drawn && !drawn.missing) this.solid.show(picture(drawn, this.drawings.shapes), drawn, this.drawings);
    else this.solid.show(el('p', { class: 'none' }, noPicture(this.experiment, solve, drawn?.missing)), null, this.drawings);
    this.slider.value = this.at;
    this.slider.setAttribute('aria-valuetext', `${this.at + 1} of ${solves.length}`);
    const [atFirst, atLast] = [this.at === 0, this.at === solves.length - 1];
    for (const [name, off] of [['first', atFirst], ['previous', atFirst], ['next', atLast], ['last', atLast]]) {
      this.buttons[name].setAttribute('aria-disabled', String(off));
    }
    this.#fill();
    this.chosen(solve.iteration ?? this.at, isFirst);
  }

  /** Shows the iteration of that number, where there is one. */
  go(number) {
    const at = this.solves.findIndex((solve) => solve.iteration === number);
    if (at >= 0) this.show(at, true);
  }

  /** Does what a button or key asks for: first, previous, play, next, last. */
  act(action) {
    if (this.solves.length === 0) return;
    if (action === 'play') { if (this.timer) this.pause(); else this.play(); return; }
    this.pause();
    const to = { first: 0, previous: this.at - 1, next: this.at + 1, last: this.solves.length - 1 }[action];
    this.show(to);
  }

  play() {
    if (this.solves.length < 2) return;
    if (this.at === this.solves.length - 1) this.show(0);
    this.#playing(true);
    this.timer = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.solves.length - 1) this.pause();
    }, TURN_MS);
  }

  pause() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.#playing(false);
  }

  #playing(isOn) {
    const label = isOn ? 'Pause (space)' : 'Play (space)';
    this.buttons.play.replaceChildren(icon(isOn ? 'pause' : 'play'), isOn ? ' Pause' : ' Play');
    this.buttons.play.setAttribute('aria-label', label);
    this.buttons.play.title = label;
  }

  #columns() {
    const there = new Set(this.solves.flatMap((solve) => Object.keys(solve)));
    const known = SOLVE_COLUMNS.filter(([name]) => there.has(name));
    const others = [...there].filter((name) => !SOLVE_COLUMNS.some((column) => column[0] === name));
    return [...known, ...others.map((name) => [name, name.replaceAll('_', ' ')])];
  }

  /** The part of the table that holds the chosen solve. */
  #fill() {
    const from = Math.floor(this.at / SOLVES_SHOWN) * SOLVES_SHOWN;
    if (from !== this.from) {
      this.from = from;
      const part = this.solves.slice(from, from + SOLVES_SHOWN);
      const head = el('tr', {}, this.columns.map(([, heading]) => el('th', { scope: 'col' }, heading)));
      this.lines = part.map((solve, index) => el('tr', { click: () => { this.pause(); this.show(from + index); } },
        this.columns.map(([name, , kind], place) => this.#cell(solve[name], kind, place, from + index))));
      const all = this.solves.length;
      const caption = all > SOLVES_SHOWN
        && el('caption', {}, `Rows ${from + 1} to ${from + part.length} of ${count(all)}; stepping shows the others.`);
      const table = el('table', {}, caption, el('thead', {}, head), el('tbody', {}, this.lines));
      this.table.replaceChildren(table);
    }
    for (const [index, line] of this.lines.entries()) {
      if (from + index === this.at) line.setAttribute('aria-current', 'true');
      else line.removeAttribute('aria-current');
    }
    this.#reveal(this.lines[this.at - from]);
  }

  #cell(value, kind, place, index) {
    const text = shown(value, kind ?? 'number');
    const attributes = { class: typeof value === 'number' ? 'number' : null };
    if (place > 0) return el('td', attributes, text);
    const label = `Show iteration ${text}`;
    return el('th', { scope: 'row', ...attributes }, el('button', { type: 'button', class: 'link', 'aria-label': label }, text));
  }

  /** Scrolls the table, and only it, to a row. */
  #reveal(line) {
    const [top, bottom] = [line.offsetTop - 40, line.offsetTop + line.offsetHeight];
    if (top < this.table.scrollTop) this.table.scrollTop = top;
    else if (bottom > this.table.scrollTop + this.table.clientHeight) this.table.scrollTop = bottom - this.table.clientHeight;
  }
}

/** What is behind the pictures of an instance where the report has none of it. */
const NO_DRAWINGS = { shapes: [] };

/** The shapes of the pictures of an instance, and how they fold up if they are nets of a solid. */
async function drawingsOf(experiment, instance) {
  const name = HEAD.experiments[experiment].pictures[instance];
  return name ? chunk(name) : NO_DRAWINGS;
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

/** A solve in words: loops, holes, of a search by parts its stage, and the cuts that follow. */
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
  const stage = typeof solve.parts === 'number' && hasFound(solve) && solve.native_status;
  const cuts = solve.cuts_added > 0 ? `; ${plural(solve.cuts_added, 'cut')} added after it` : '';
  const time = typeof solve.time_s === 'number' ? `, ${seconds(solve.time_s)} s` : '';
  return `Iteration ${solve.iteration ?? index} (${index + 1} of ${number}): ${found}${stage ? `; ${stage}` : ''}${cuts}${time}.`;
}

/** `12 6 6` as 12, twice 6. Long lists are cut off. */
function lengthWords(lengths) {
  const counts = new Map();
  for (const length of lengths.split(' ')) counts.set(length, (counts.get(length) ?? 0) + 1);
  const words = [...counts].map(([length, times]) => (times === 1 ? length : `${times} × ${length}`));
  return words.length > 8 ? [...words.slice(0, 7), `${words.length - 7} other lengths`] : words;
}
