// A chart on the page: drawn when it comes into view, with a legend that hides curves, marks to point at, and a
// table of its values.

/** How far beside a mark one may point, in pixels. */
const REACH = { mouse: 12, touch: 26 };
/** Rows of a table of values; what is beyond is in the CSV file of the plot. */
const MOST_VALUES = 2000;

class ChartView {
  /**
   * @param figure the place on the page
   * @param number the experiment
   * @param events { open(row), list(title, rows) }; rows are those of the store
   */
  constructor(figure, number, chart, store, events) {
    Object.assign(this, { figure, chart, store, events, hidden: new Set(), active: null, hits: [], width: 0 });
    this.start = store.starts[number];
    this.styles = looks(chart.curves);
    this.drawing = el('div', { class: 'drawing' });
    this.ring = el('span', { class: 'ring', hidden: true });
    this.tip = el('div', { class: 'tip', hidden: true });
    const hint = el('span', { class: 'offscreen', id: `hint-${chart.stem}` },
      'Arrow keys: left and right along a curve, up and down between curves. Enter opens the run.');
    this.stage = el('div', {
      class: 'stage', tabindex: 0, role: 'application', 'aria-label': `Chart: ${chart.title}`,
      'aria-describedby': hint.id, 'aria-roledescription': 'chart',
    }, this.drawing, this.ring, this.tip, hint);
    this.plot = el('div', { class: 'plot' }, this.stage, this.#legend(), this.#values());
    figure.querySelector('.plot')?.remove();
    figure.prepend(this.plot);
    this.#listen();
    new ResizeObserver(framed(() => this.draw())).observe(this.stage);
    this.draw();
  }

  draw(isForced = false) {
    const width = Math.floor(this.stage.clientWidth);
    if (width === 0 || (width === this.width && !isForced)) return;
    this.width = width;
    const { element, hits } = drawChart(this.chart, width, this.hidden);
    this.hits = hits;
    this.drawing.replaceChildren(element);
    this.#point(null);
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
      const [hit, before] = [this.#near(event), this.active];
      this.#point(hit);
      // A finger cannot point without pressing: the first touch says what the mark is, the second opens it.
      if (hit && (event.pointerType !== 'touch' || hit === before)) this.#open(hit);
    });
    stage.addEventListener('keydown', (event) => this.#pressed(event));
  }

  /** The mark that the pointer is at. */
  #near(event) {
    const { left, top } = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    let [nearest, least] = [null, event.pointerType === 'touch' ? REACH.touch : REACH.mouse];
    for (const hit of this.hits) {
      // A bar is as near as its nearest part.
      const within = hit.foot !== undefined && y > hit.y && y < hit.foot;
      const distance = Math.hypot(hit.x - x, within ? 0 : hit.y - y);
      if (distance < least) [nearest, least] = [hit, distance];
    }
    return nearest;
  }

  /** Shows what a mark is; null: none. */
  #point(hit) {
    if (hit === this.active && hit !== null) return;
    this.active = hit;
    this.stage.classList.toggle('pointing', hit !== null && this.#members(hit).length > 0);
    this.ring.hidden = hit === null;
    this.tip.hidden = hit === null;
    if (hit === null) return;
    this.ring.style.transform = `translate(${hit.x}px, ${hit.y}px)`;
    const [first, ...lines] = this.#words(hit);
    this.tip.replaceChildren(el('strong', {}, first), ...lines.map((line) => el('span', {}, line)));
    // Beside the mark, on the side where there is room.
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = hit.x + 14 + width > this.width ? Math.max(0, hit.x - 14 - width) : hit.x + 14;
    this.tip.style.transform = `translate(${left}px, ${Math.max(0, hit.y - height - 10)}px)`;
  }

  /** Rows of the store behind a mark. */
  #members({ point, box }) {
    return (point ?? box).members.map((member) => this.start + member);
  }

  /** What a mark is, in lines. */
  #words(hit) {
    const { chart, store } = this;
    const curve = chart.curves[hit.curve];
    const rows = this.#members(hit);
    const name = hit.point?.instance || (chart.x.scale === 'names' && this.#value(chart.x, (hit.point ?? hit.box).x));
    const lines = [name ? `${name}: ${curve.label}` : curve.label];
    const value = (axis, of) => `${axis.label}: ${this.#value(axis, of)}`;
    lines.push(value(chart.x, (hit.point ?? hit.box).x));
    if (hit.box) {
      const [low, first, median, third, high] = hit.box.five.map((of) => this.#value(chart.y, of));
      lines.push(`${chart.y.label}: median ${median}`, `quartiles ${first} and ${third}, whiskers ${low} and ${high}`);
      if (hit.box.open) lines.push('the upper part is a lower bound: some runs reached a limit');
    } else {
      const { y, kind, least, most, open } = hit.point;
      lines.push(`${value(chart.y, y)}${kind === 'limit' ? ' or more' : ''}`);
      if (typeof least === 'number') {
        lines.push(`between ${this.#value(chart.y, least)} and ${this.#value(chart.y, most)}${open ? ' or more' : ''}`);
      }
      lines.push(KIND_WORDS[kind] ?? kind);
    }
    if (rows.length === 1) lines.push(store.title(rows[0]), store.verdict(rows[0]));
    if (rows.length > 1) lines.push(`${plural(rows.length, 'run')}: ${this.#verdicts(rows)}`);
    return lines;
  }

  #verdicts(rows) {
    const counts = new Map();
    for (const row of rows) counts.set(this.store.verdict(row), (counts.get(this.store.verdict(row)) ?? 0) + 1);
    return [...counts].map(([verdict, of]) => (counts.size === 1 ? `all ${verdict}` : `${of} ${verdict}`)).join('; ');
  }

  #value({ scale, names }, value) {
    if (scale === 'names') return names?.[value] ?? String(value);
    return scale === 'seconds' ? `${seconds(value)} s` : number(value);
  }

  #open(hit) {
    const rows = this.#members(hit);
    if (rows.length === 1) this.events.open(rows[0], this.stage);
    else if (rows.length > 1) this.events.list(this.#words(hit)[0], rows);
  }

  #pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.hits.length === 0) return;
    const next = this.#next(event.key);
    if (next) {
      event.preventDefault();
      this.#point(next);
      announce(this.#words(next).join('. '));
    } else if ((event.key === 'Enter' || event.key === ' ') && this.active) {
      event.preventDefault();
      this.#open(this.active);
    } else if (event.key === 'Escape') this.#point(null);
  }

  /** The mark that a key leads to. */
  #next(key) {
    const along = (curve) => this.hits.filter((hit) => hit.curve === curve).sort((a, b) => a.x - b.x || a.y - b.y);
    const curves = [...new Set(this.hits.map((hit) => hit.curve))].sort((a, b) => a - b);
    const of = this.active ?? null;
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)) return null;
    if (of === null) return along(curves[0])[0];
    const line = along(of.curve);
    const at = line.indexOf(of);
    if (key === 'ArrowLeft') return line[Math.max(at - 1, 0)];
    if (key === 'ArrowRight') return line[Math.min(at + 1, line.length - 1)];
    if (key === 'Home') return line[0];
    if (key === 'End') return line.at(-1);
    const place = curves.indexOf(of.curve) + (key === 'ArrowUp' ? -1 : 1);
    if (place < 0 || place >= curves.length) return of;
    const nearest = (best, hit) => (Math.abs(hit.x - of.x) < Math.abs(best.x - of.x) ? hit : best);
    return along(curves[place]).reduce(nearest);
  }

  #legend() {
    const entries = this.chart.curves.map((curve, number) => {
      const toggle = () => {
        if (!this.hidden.delete(number)) this.hidden.add(number);
        button.setAttribute('aria-pressed', String(!this.hidden.has(number)));
        this.draw(true);
      };
      const button = el('button', { type: 'button', 'aria-pressed': 'true', click: toggle },
        curve.bars ? barSample('ended', this.styles[number].colour) : sample(this.styles[number]), el('span', {}, curve.label));
      return el('li', {}, button);
    });
    const kinds = new Set(this.chart.curves.flatMap((curve) => curve.points.map((point) => point.kind)));
    const bars = this.chart.curves.some((curve) => curve.bars);
    const isBar = (kind) => bars && ['unsolved', 'limit'].includes(kind);
    const grey = { form: 'circle', colour: 'var(--muted)', dash: '', hollow: false, line: false };
    for (const kind of ['unsolved', 'error', 'limit', 'wrong']) {
      if (!kinds.has(kind)) continue;
      entries.push(el('li', { class: 'key' }, isBar(kind) ? barSample(kind, 'var(--muted)') : sample(KEYS[kind] ?? markOf(grey, kind)), el('span', {}, KIND_WORDS[kind])));
    }
    for (const guide of this.chart.guides ?? []) {
      const line = svg('line', { x1: 0, x2: 34, y1: 8, y2: 8, class: 'guide' });
      const key = svg('svg', { width: 34, height: 16, 'aria-hidden': 'true' }, line);
      entries.push(el('li', { class: 'key' }, key, el('span', {}, guide.label)));
    }
    return el('ul', { class: 'legend', 'aria-label': 'Legend; a button hides or shows its curve' }, entries);
  }

  /** The table behind the chart, filled when it is opened. */
  #values() {
    const place = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Values: ${this.chart.title}` });
    const fill = () => { if (!place.hasChildNodes()) place.append(...this.#table()); };
    return el('details', { class: 'values', toggle: fill }, el('summary', {}, 'Values of this chart'), place);
  }

  #table() {
    const { chart } = this;
    const line = (cells) => el('tr', {}, cells.map((cell) => el('td', {}, cell)));
    const all = chart.curves.flatMap((curve, number) => [
      ...curve.points.map((point) => ({ curve: number, point })),
      ...(curve.boxes ?? []).map((box) => ({ curve: number, box })),
    ]);
    const rows = all.slice(0, MOST_VALUES).map((hit) => {
      const { point, box } = hit;
      const value = point ? this.#value(chart.y, point.y) : box.five.map((of) => this.#value(chart.y, of)).join(' / ');
      const members = this.#members(hit);
      const open = members.length > 0
        && el('button', { type: 'button', class: 'link', click: () => this.#open(hit) }, plural(members.length, 'run'));
      const kind = point ? KIND_WORDS[point.kind] ?? point.kind : 'whisker / quartile / median / quartile / whisker';
      return line([chart.curves[hit.curve].label, point?.instance ?? '', this.#value(chart.x, (point ?? box).x), value,
        kind, open || '']);
    });
    const headings = ['curve', 'instance', chart.x.label, chart.y.label, 'kind', 'runs'];
    const head = el('tr', {}, headings.map((heading) => el('th', { scope: 'col' }, heading)));
    const table = el('table', {}, el('thead', {}, head), el('tbody', {}, rows));
    const left = all.length - rows.length;
    return left > 0 ? [table, el('p', {}, `${count(left)} more are in ${chart.stem}-curves.csv.`)] : [table];
  }
}

/** Draws the charts of the page when they come near the view, and all of them for print. */
function drawCharts(store, events) {
  const waiting = new Set(document.querySelectorAll('figure.chart'));
  const draw = async (figure) => {
    if (!waiting.delete(figure)) return;
    const number = Number(figure.dataset.experiment);
    try {
      const charts = await chunk(HEAD.experiments[number].chunks.charts);
      new ChartView(figure, number, charts[Number(figure.dataset.chart)], store, events);
    } catch (error) {
      figure.prepend(el('p', { class: 'warning' }, `This chart cannot be drawn: ${error.message}`));
    }
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) { observer.unobserve(target); draw(target); }
    }
  }, { rootMargin: '400px' });
  for (const figure of waiting) observer.observe(figure);
  window.addEventListener('beforeprint', () => { for (const figure of waiting) draw(figure); });
}
