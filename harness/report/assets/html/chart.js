// A chart of the page: the SVG that the report holds, with marks to point at and a legend that hides curves.

/** How far beside a mark one may point, in pixels. */
const REACH = { mouse: 12, touch: 26 };
/** Rows of a table of values; what is beyond is in the CSV file of the plot. */
const MOST_VALUES = 2000;

class ChartView {
  /**
   * @param figure the place on the page
   * @param drawn the chart as SVG
   * @param events { open(row), list(title, rows) }; rows are those of the store
   */
  constructor(figure, drawn, store, events) {
    Object.assign(this, { figure, store, events, hidden: new Set(), active: null });
    this.start = store.starts[Number(figure.dataset.experiment)];
    const parsed = new DOMParser().parseFromString(drawn, 'image/svg+xml').documentElement;
    this.drawing = document.importNode(parsed, true);
    this.drawing.removeAttribute('role');
    this.marks = [...this.drawing.querySelectorAll('.mark')].map((element) => {
      const [x, y, foot] = element.dataset.at.split(' ').map(Number);
      const rows = element.dataset.run.split(' ').filter(Boolean).map((run) => this.start + Number(run));
      return { x, y, foot, rows, curve: Number(element.parentNode.dataset.curve), words: element.dataset.text.split('\n') };
    });
    this.ring = el('span', { class: 'ring', hidden: true });
    this.tip = el('div', { class: 'tip', hidden: true });
    const hint = el('span', { class: 'offscreen', id: `hint-${figure.id}` },
      'Arrow keys: left and right along a curve, up and down between curves. Enter opens the run.');
    this.stage = el('div', {
      class: 'stage', tabindex: 0, role: 'application', 'aria-roledescription': 'chart',
      'aria-label': `Chart: ${this.drawing.querySelector('title').textContent}`, 'aria-describedby': hint.id,
    }, this.drawing, this.ring, this.tip, hint);
    // Browsers would show it all over the chart.
    this.drawing.querySelector('title').remove();
    this.#legend();
    this.#listen();
    figure.prepend(el('div', { class: 'plot' }, el('div', { class: 'scene' }, this.stage), this.#values()));
  }

  #listen() {
    const { stage } = this;
    stage.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') this.#point(this.#near(event));
    });
    stage.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch' && document.activeElement !== stage) this.#point(null);
    });
    stage.addEventListener('blur', () => this.#point(null));
    stage.addEventListener('click', (event) => {
      const [mark, before] = [this.#near(event), this.active];
      this.#point(mark);
      // A finger cannot point without pressing: the first touch says what the mark is, the second opens it.
      if (mark && (event.pointerType !== 'touch' || mark === before)) this.#open(mark);
    });
    stage.addEventListener('keydown', (event) => { if (event.target === stage) this.#pressed(event); });
  }

  /** Pixels of the screen to one of the drawing. */
  #scale() {
    return this.drawing.getBoundingClientRect().width / this.drawing.viewBox.baseVal.width;
  }

  get #shown() {
    return this.marks.filter((mark) => !this.hidden.has(mark.curve));
  }

  /** The mark that the pointer is at. */
  #near(event) {
    const { left, top } = this.drawing.getBoundingClientRect();
    const scale = this.#scale();
    const [x, y] = [(event.clientX - left) / scale, (event.clientY - top) / scale];
    let [nearest, least] = [null, (event.pointerType === 'touch' ? REACH.touch : REACH.mouse) / scale];
    for (const mark of this.#shown) {
      // A bar is as near as its nearest part.
      const within = y > mark.y && y < mark.foot;
      const distance = Math.hypot(mark.x - x, within ? 0 : mark.y - y);
      if (distance < least) [nearest, least] = [mark, distance];
    }
    return nearest;
  }

  /** Shows what a mark is; null: none. */
  #point(mark) {
    if (mark === this.active && mark !== null) return;
    this.active = mark;
    this.stage.classList.toggle('pointing', mark !== null && mark.rows.length > 0);
    this.ring.hidden = mark === null;
    this.tip.hidden = mark === null;
    if (mark === null) return;
    const scale = this.#scale();
    const [x, y] = [mark.x * scale, mark.y * scale];
    this.ring.style.transform = `translate(${x}px, ${y}px)`;
    const [first, ...lines] = this.#words(mark);
    this.tip.replaceChildren(el('strong', {}, first), ...lines.map((line) => el('span', {}, line)));
    // Beside the mark, on the side where there is room.
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = x + 14 + width > this.stage.clientWidth ? Math.max(0, x - 14 - width) : x + 14;
    this.tip.style.transform = `translate(${left}px, ${Math.max(0, y - height - 10)}px)`;
  }

  /** What a mark is, in lines: what the chart says, and what became of its runs. */
  #words({ words, rows }) {
    const { store } = this;
    if (rows.length === 0) return words;
    if (rows.length === 1) return [...words, store.title(rows[0]), store.verdict(rows[0])];
    const counts = new Map();
    for (const row of rows) counts.set(store.verdict(row), (counts.get(store.verdict(row)) ?? 0) + 1);
    const verdicts = [...counts].map(([verdict, of]) => (counts.size === 1 ? `all ${verdict}` : `${of} ${verdict}`));
    return [...words, `${plural(rows.length, 'run')}: ${verdicts.join('; ')}`];
  }

  #open({ words, rows }) {
    if (rows.length === 1) this.events.open(rows[0]);
    else if (rows.length > 1) this.events.list(words[0], rows);
  }

  #pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = this.#next(event.key);
    if (next) {
      event.preventDefault();
      this.#point(next);
      // Where the chart is wider than its place.
      this.ring.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      announce(this.#words(next).join('. '));
    } else if ((event.key === 'Enter' || event.key === ' ') && this.active) {
      event.preventDefault();
      this.#open(this.active);
    } else if (event.key === 'Escape') this.#point(null);
  }

  /** The mark that a key leads to. */
  #next(key) {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)) return null;
    const along = (curve) => this.#shown.filter((mark) => mark.curve === curve).sort((a, b) => a.x - b.x || a.y - b.y);
    const curves = [...new Set(this.#shown.map((mark) => mark.curve))];
    const of = this.active;
    if (of === null) return along(curves[0])[0];
    const line = along(of.curve);
    const at = line.indexOf(of);
    if (key === 'ArrowLeft') return line[Math.max(at - 1, 0)];
    if (key === 'ArrowRight') return line[Math.min(at + 1, line.length - 1)];
    if (key === 'Home') return line[0];
    if (key === 'End') return line.at(-1);
    const place = curves.indexOf(of.curve) + (key === 'ArrowUp' ? -1 : 1);
    if (place < 0 || place >= curves.length) return of;
    const nearest = (best, mark) => (Math.abs(mark.x - of.x) < Math.abs(best.x - of.x) ? mark : best);
    return along(curves[place]).reduce(nearest);
  }

  /** Makes buttons of the curves in the legend. */
  #legend() {
    for (const entry of this.drawing.querySelectorAll('.entry')) {
      const curve = Number(entry.dataset.curve);
      const toggle = () => {
        if (!this.hidden.delete(curve)) this.hidden.add(curve);
        const isHidden = this.hidden.has(curve);
        entry.setAttribute('aria-pressed', String(!isHidden));
        for (const part of this.drawing.querySelectorAll(`:is(.line, .marks)[data-curve="${curve}"]`)) {
          part.classList.toggle('hidden', isHidden);
        }
        this.#point(null);
      };
      assign(entry, {
        role: 'button', tabindex: 0, 'aria-pressed': 'true', 'aria-label': `Curve ${entry.dataset.text}`, click: toggle,
        keydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); toggle(); } },
      });
    }
  }

  /** The values behind the chart, filled in when they are opened. */
  #values() {
    const label = this.stage.getAttribute('aria-label').replace('Chart', 'Values');
    const place = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label });
    const fill = () => { if (!place.hasChildNodes()) place.append(...this.#table()); };
    return el('details', { class: 'values', toggle: fill }, el('summary', {}, 'Values of this chart'), place);
  }

  #table() {
    const line = (mark) => el('tr', {}, mark.words.map((word) => el('td', {}, word)), el('td', {}, mark.rows.length > 0
      && el('button', { type: 'button', class: 'link', click: () => this.#open(mark) }, plural(mark.rows.length, 'run'))));
    const table = el('table', {}, el('tbody', {}, this.marks.slice(0, MOST_VALUES).map(line)));
    const left = this.marks.length - MOST_VALUES;
    return left > 0 ? [table, el('p', {}, `${count(left)} more are in the CSV file of this plot.`)] : [table];
  }
}

/** Shows the charts of the page when they come near the view, and the others when the browser has nothing else to do: printing shows
 * what is there. */
function showCharts(store, events) {
  const waiting = new Set(document.querySelectorAll('figure.chart'));
  const show = async (figure) => {
    if (!waiting.delete(figure)) return;
    try {
      new ChartView(figure, await chunk(figure.dataset.chunk), store, events);
    } catch (error) {
      figure.prepend(el('p', { class: 'warning' }, `This chart cannot be shown: ${error.message}`));
    }
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) { observer.unobserve(target); show(target); }
    }
  }, { rootMargin: '400px' });
  for (const figure of waiting) observer.observe(figure);
  const rest = async () => {
    for (const figure of waiting) await show(figure);
  };
  (window.requestIdleCallback ?? setTimeout)(rest);
}
