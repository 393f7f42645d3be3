// Draws a chart as SVG of a given width; gives the places of its marks, to point at.

const MARGIN_TOP = 12;
const MARGIN_RIGHT = 14;

/** The largest height of what is drawn, and its share of the width. */
const TALLEST = 440;
const TALL_SHARE = 0.62;

/** All values that have to fit onto an axis: `x` or `y`. */
function valuesOf(chart, axis) {
  const values = [];
  for (const { points, line, boxes } of chart.curves) {
    for (const point of points) {
      values.push(point[axis]);
      if (axis === 'y') values.push(point.least ?? point.y, point.most ?? point.y);
    }
    for (const vertex of line) if (vertex[1] !== null) values.push(vertex[axis === 'x' ? 0 : 1]);
    for (const box of boxes ?? []) values.push(...(axis === 'x' ? [box.x] : box.five));
  }
  for (const guide of chart.guides ?? []) if (guide.at === axis) values.push(guide.value);
  return values;
}

/**
 * Draws a chart.
 * @param hidden numbers of curves that are left out
 * @returns {{ element, hits: [{ x, y, foot?, curve, point?, box? }] }} `foot`: where a bar stands, which is pointed at anywhere
 */
function drawChart(chart, width, hidden) {
  const xs = valuesOf(chart, 'x');
  const [x, y] = [axisOf(chart.x, xs), axisOf(chart.y, valuesOf(chart, 'y'))];
  const widest = Math.max(...y.ticks.map((tick) => Math.min(tick.text.length, 24)), 1);
  const frame = { left: 32 + 7 * widest, top: MARGIN_TOP, right: width - MARGIN_RIGHT };
  const slot = (frame.right - frame.left) / Math.max(x.ticks.length, 1);
  const longest = Math.max(...x.ticks.map((tick) => tick.text.length), 1);
  // Names that would run into each other are written upwards.
  const slanted = longest * 7 + 6 > slot;
  frame.slanted = slanted && chart.x.scale === 'names';
  const under = frame.slanted ? Math.min(longest, 22) * 5.2 + 20 : 24;
  const height = Math.max(260, Math.min(TALLEST, width * TALL_SHARE)) + (frame.slanted ? under - 24 : 0);
  frame.bottom = height - under - 22;
  const placeX = (value) => frame.left + x.place(value) * (frame.right - frame.left);
  const placeY = (value) => frame.bottom - y.place(value) * (frame.bottom - frame.top);
  const shifts = dodges(chart, xs, placeX);
  const styles = looks(chart.curves);
  const hits = [];
  const layers = axes(chart, frame, x, y, height);
  const numbers = chart.curves.map((_, number) => number).filter((number) => !hidden.has(number));
  for (const number of numbers) layers.push(lineOf(chart.curves[number], styles[number], placeX, placeY, shifts[number]));
  for (const number of numbers) {
    if (chart.curves[number].bars) {
      layers.push(...barsOf(chart, number, styles[number], placeX, placeY, frame, hits));
      continue;
    }
    const at = (value) => placeX(value) + shifts[number];
    layers.push(...boxesOf(chart, number, styles[number], at, placeY, boxWidth(chart, xs, placeX), hits));
    layers.push(...pointsOf(chart, number, styles[number], at, placeY, hits));
  }
  layers.push(...guides(chart, frame, placeX, placeY));
  const element = svg('svg', {
    width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false',
  }, layers);
  return { element, hits };
}

/** How far each curve is shifted sideways, so that equal values do not hide each other. */
function dodges(chart, xs, placeX) {
  const measured = chart.curves.filter((curve) => !curve.published).length;
  const isApart = chart.x.scale === 'challenges' || chart.x.scale === 'names';
  const [first = 0] = extremes(xs);
  const apart = placeX(first + smallestGap(xs)) - placeX(first);
  const hasBoxes = chart.curves.some((curve) => curve.boxes?.length > 0);
  const room = hasBoxes ? 0.8 - 0.8 / Math.max(measured, 1) : DODGED_SHARE;
  const last = Math.max(measured - 1, 0);
  const step = isApart && last > 0 ? Math.min((apart * room) / last, hasBoxes ? 60 : 9) : 0;
  let index = 0;
  return chart.curves.map((curve) => (curve.published ? 0 : (index++ - last / 2) * step));
}

function boxWidth(chart, xs, placeX) {
  const measured = Math.max(chart.curves.filter((curve) => !curve.published).length, 1);
  const [first = 0] = extremes(xs);
  return Math.max(5, Math.min(36, ((placeX(first + smallestGap(xs)) - placeX(first)) * 0.62) / measured));
}

function axes(chart, frame, x, y, height) {
  const { left, top, right, bottom } = frame;
  const atX = (share) => left + share * (right - left);
  const atY = (share) => bottom - share * (bottom - top);
  const path = (d, name) => svg('path', { d, class: name });
  const upright = (share) => `M${atX(share).toFixed(1)} ${top}V${bottom}`;
  const level = (share) => `M${left} ${atY(share).toFixed(1)}H${right}`;
  const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  // Of many names some are left out, so that those that are shown can be read.
  const room = (right - left) / Math.max(x.ticks.length, 1);
  const every = frame.slanted ? Math.max(1, Math.ceil(22 / room)) : 1;
  const labelsX = x.ticks.filter((_, index) => index % every === 0).map(({ at, text }) => (frame.slanted
    ? svg('text', { transform: `translate(${atX(at).toFixed(1)} ${bottom + 14}) rotate(-38)`, 'text-anchor': 'end' },
      cut(text, 22))
    : svg('text', { x: atX(at), y: bottom + 17, 'text-anchor': 'middle' }, text)));
  const labelsY = y.ticks.map(({ at, text }) =>
    svg('text', { x: left - 7, y: atY(at) + 4, 'text-anchor': 'end' }, cut(text, 24)));
  const isNamed = chart.x.scale === 'names';
  return [
    path([...x.minor.map(upright), ...y.minor.map(level)].join(''), 'minor'),
    path([...(isNamed ? [] : x.ticks.map((tick) => upright(tick.at))), ...y.ticks.map((tick) => level(tick.at))].join(''),
      'major'),
    path(`M${left} ${top}V${bottom}H${right}`, 'axis'),
    ...labelsX, ...labelsY,
    svg('text', { x: (left + right) / 2, y: height - 5, 'text-anchor': 'middle', class: 'quantity' }, chart.x.label),
    svg('text', {
      transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle', class: 'quantity',
    }, chart.y.label),
  ];
}

function guides(chart, frame, placeX, placeY) {
  const { left, top, right, bottom } = frame;
  const line = (x1, y1, x2, y2) => svg('line', { x1, y1, x2, y2, class: 'guide' });
  return (chart.guides ?? []).map((guide, index) => {
    if (guide.at === 'x') return line(placeX(guide.value), top, placeX(guide.value), bottom);
    if (guide.at === 'y') return line(left, placeY(guide.value), right, placeY(guide.value));
    const [least, most] = extremes([...valuesOf(chart, 'x'), ...valuesOf(chart, 'y')].filter(Number.isFinite));
    const id = `equal-${chart.stem}-${index}`;
    const clip = svg('clipPath', { id }, svg('rect', { x: left, y: top, width: right - left, height: bottom - top }));
    const diagonal = line(placeX(least), placeY(least), placeX(most), placeY(most));
    diagonal.setAttribute('clip-path', `url(#${id})`);
    return svg('g', {}, clip, diagonal);
  });
}

function lineOf(curve, { colour, dash }, placeX, placeY, shift) {
  let [d, before] = ['', null];
  for (const [x, y] of curve.line) {
    if (y === null) { before = null; continue; }
    const [atX, atY] = [(placeX(x) + shift).toFixed(1), placeY(y).toFixed(1)];
    if (before === null) d += `M${atX} ${atY}`;
    else d += curve.steps ? `H${atX}V${atY}` : `L${atX} ${atY}`;
    before = y;
  }
  return svg('path', { d, class: 'curve', 'stroke-dasharray': dash, style: `--colour:${colour}` });
}

function pointsOf(chart, number, base, at, placeY, hits) {
  const byKind = new Map();
  let bars = '';
  for (const point of chart.curves[number].points) {
    const [x, y] = [at(point.x), placeY(point.y)];
    hits.push({ x, y, curve: number, point });
    if (!byKind.has(point.kind)) byKind.set(point.kind, []);
    byKind.get(point.kind).push([x, y]);
    if (point.least !== undefined && point.most !== undefined && point.least !== null) {
      bars += `M${x.toFixed(1)} ${placeY(point.least).toFixed(1)}V${placeY(point.most).toFixed(1)}`;
    }
  }
  const drawn = [...byKind].flatMap(([kind, places]) => marks(markOf(base, kind), places));
  return bars ? [svg('path', { d: bars, class: 'bar', style: `--colour:${base.colour}` }), ...drawn] : drawn;
}

/** Bars that stand on the axis: filled where solved, hatched at a limit, else empty. */
function barsOf(chart, number, base, placeX, placeY, frame, hits) {
  const { names } = chart.x;
  const slot = (frame.right - frame.left) / Math.max(names?.length ?? 1, 1);
  const width = Math.max(1, Math.min(40, slot * 0.8));
  const crosses = new Map();
  const bars = chart.curves[number].points.map((point) => {
    const [x, y] = [placeX(point.x), placeY(point.y)];
    hits.push({ x, y, foot: frame.bottom, curve: number, point });
    const over = markOf(base, point.kind).over;
    if (over) crosses.set(over, [...(crosses.get(over) ?? []), [x, y]]);
    return { x: x - width / 2, y, width, height: Math.max(frame.bottom - y, 0), kind: point.kind };
  });
  const drawn = bars.map((bar) => columnOf(bar, base.colour));
  const crossed = [...crosses].map(([colour, places]) => svg('path', {
    d: places.map(([x, y]) => outline('cross', x, y, RADIUS)).join(''), class: 'mark over', style: `--colour:${colour}`,
  }));
  const ranges = chart.curves[number].points.filter(({ least, most }) => typeof least === 'number' && most !== undefined);
  const lines = ranges.map(({ x, least, most }) => `M${placeX(x).toFixed(1)} ${placeY(least).toFixed(1)}V${placeY(most).toFixed(1)}`);
  return [...drawn, svg('path', { d: lines.join(''), class: 'bar', style: '--colour:currentColor' }), ...crossed];
}

/** One bar. */
function columnOf({ x, y, width, height, kind }, colour) {
  const rect = svg('rect', { x, y, width, height, class: kind === 'ended' ? 'column' : 'column hollow' });
  let d = '';
  for (let at = y; kind === 'limit' && at < y + height; at += 6) {
    const run = Math.min(width, y + height - at);
    d += `M${x.toFixed(1)} ${at.toFixed(1)}l${run.toFixed(1)} ${run.toFixed(1)}`;
  }
  return svg('g', { style: `--colour:${colour}` }, rect, d && svg('path', { d, class: 'bar' }));
}

function boxesOf(chart, number, { colour }, at, placeY, width, hits) {
  return (chart.curves[number].boxes ?? []).map((box) => {
    const x = at(box.x);
    const [low, first, median, third, high] = box.five.map(placeY);
    hits.push({ x, y: median, curve: number, box });
    const [l, r, cap] = [x - width / 2, x + width / 2, width / 4];
    const whiskers = `M${x} ${low}V${first}M${x} ${third}V${high}M${x - cap} ${low}H${x + cap}`;
    // What is open upwards ends in an arrow, not in a bar.
    const end = box.open ? `M${x - 4} ${high + 6}L${x} ${high}L${x + 4} ${high + 6}` : `M${x - cap} ${high}H${x + cap}`;
    return svg('g', { class: 'box', style: `--colour:${colour}` },
      svg('rect', { x: l, y: third, width, height: Math.max(first - third, 0.5) }),
      svg('path', { d: `${whiskers}${end}` }),
      svg('path', { d: `M${l} ${median}H${r}`, class: 'median' }));
  });
}
