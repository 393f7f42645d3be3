// Looks of curves and marks: colours by Okabe and Ito, forms and patterns of lines, as in the printed plots.

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#6e6e6e'];
const FORMS = ['circle', 'square', 'diamond', 'down', 'pentagon', 'plus'];
/** What published figures have: no measured curve has a star. */
const STARS = ['star5', 'asterisk6', 'star4', 'asterisk3', 'star7', 'star3'];
const DASHES = ['', '9 5', '2.5 4', '7 3 2 3'];
const RADIUS = 4.6;
/** Marks of one look beyond this number are drawn smaller. */
const CROWD = 400;

/** What kinds of points are called in words. */
const KIND_WORDS = {
  ended: 'ended, solved or proved',
  unsolved: 'ended, not solved (subloops, holes)',
  error: 'error in a run',
  limit: 'limit reached (lower bound)',
  wrong: 'wrong answer',
  published: 'published',
};

/** Looks of kinds in the legend that differ from those of their marks. */
const KEYS = {
  wrong: { form: 'cross', colour: 'var(--wrong)', dash: '', hollow: true, line: false },
  error: { form: 'cross', colour: 'currentColor', dash: '', hollow: true, line: false },
};

/** The look of each curve of a chart: { form, colour, dash, hollow, line }. */
function looks(curves) {
  const measured = curves.filter((curve) => !curve.published);
  const differ = (index) => measured.some((curve) => curve.of[index] !== measured[0].of[index]);
  const [formulations, solvers] = [differ(0), differ(1)];
  // Stepped lines cross and cover each other: there neighbours have different patterns.
  const steps = measured.some((curve) => curve.steps);
  return curves.map((curve) => {
    const [formulation, solver] = curve.of;
    if (curve.published) {
      return { form: STARS[formulation % STARS.length], colour: 'currentColor', dash: '', hollow: false, line: false };
    }
    if (formulations && solvers) {
      return look(formulation, solver + Math.floor(formulation / COLOURS.length), solver);
    }
    const index = formulations ? formulation : solver;
    return look(index, index, steps ? index : Math.floor(index / COLOURS.length));
  });
}

function look(colour, form, dash) {
  return {
    form: FORMS[form % FORMS.length], colour: COLOURS[colour % COLOURS.length], dash: DASHES[dash % DASHES.length],
    hollow: false, line: true,
  };
}

/** How a point of a curve of that look is drawn, and what is drawn over it. */
function markOf(base, kind) {
  if (kind === 'limit') return { ...base, hollow: true, arrow: true };
  if (kind === 'unsolved') return { ...base, hollow: true };
  const over = { wrong: 'var(--wrong)', error: 'currentColor' }[kind];
  return over ? { ...base, over } : base;
}

/** The outline of a form around a place, as path data. */
function outline(form, x, y, radius) {
  const at = (dx, dy) => `${(x + dx * radius).toFixed(1)} ${(y + dy * radius).toFixed(1)}`;
  if (form === 'circle') {
    const arc = `a${radius} ${radius} 0 1 0`;
    return `M${at(-1, 0)}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`;
  }
  if (form === 'plus') return `M${at(-1.1, 0)}L${at(1.1, 0)}M${at(0, -1.1)}L${at(0, 1.1)}`;
  if (form === 'cross') return `M${at(-0.9, -0.9)}L${at(0.9, 0.9)}M${at(-0.9, 0.9)}L${at(0.9, -0.9)}`;
  if (form === 'arrow') return `M${at(0, -1)}L${at(0, -2.6)}M${at(-0.8, -1.8)}L${at(0, -2.6)}L${at(0.8, -1.8)}`;
  const polar = (turn, size) => at(size * Math.sin(turn), -size * Math.cos(turn));
  const [, kind, count] = form.match(/^(star|asterisk)(\d)$/) ?? [];
  const turns = Array.from({ length: Number(count ?? 0) }, (_, index) => (2 * Math.PI * index) / count);
  if (kind === 'asterisk') return turns.map((turn) => `M${at(0, 0)}L${polar(turn, 1.4)}`).join('');
  if (kind === 'star') {
    return `M${turns.map((turn) => `${polar(turn, 1.55)}L${polar(turn + Math.PI / count, 0.6)}`).join('L')}z`;
  }
  const [corners, angle, size] = {
    square: [4, 45, 1.2], diamond: [4, 0, 1.3], pentagon: [5, 0, 1.2], down: [3, 180, 1.35],
  }[form];
  const points = Array.from({ length: corners }, (_, index) => {
    const turn = ((angle + (360 * index) / corners) * Math.PI) / 180;
    return polar(turn, size);
  });
  return `M${points.join('L')}z`;
}

/** Elements that draw marks of one look at many places; one path each, since there may be thousands. */
function marks(mark, places) {
  const radius = places.length > CROWD ? RADIUS * 0.6 : RADIUS;
  const path = (form, attributes) =>
    svg('path', { d: places.map(([x, y]) => outline(form, x, y, radius)).join(''), ...attributes });
  const open = mark.hollow || mark.form === 'plus' || mark.form.startsWith('asterisk');
  const drawn = [path(mark.form, {
    class: open ? 'mark hollow' : 'mark', style: `--colour:${mark.colour}`,
  })];
  if (mark.arrow) drawn.push(path('arrow', { class: 'mark hollow', style: `--colour:${mark.colour}` }));
  if (mark.over) drawn.push(path('cross', { class: 'mark over', style: `--colour:${mark.over}` }));
  return drawn;
}

/** A sample of a look for the legend. */
function sample(mark) {
  const line = mark.line && svg('line', {
    x1: 0, x2: 34, y1: 8, y2: 8, class: 'curve', 'stroke-dasharray': mark.dash, style: `--colour:${mark.colour}`,
  });
  return svg('svg', { width: 34, height: 16, 'aria-hidden': 'true' }, line, marks(mark, [[17, 8]]));
}

/** A bar for the legend. */
function barSample(kind, colour) {
  return svg('svg', { width: 34, height: 16, 'aria-hidden': 'true' },
    columnOf({ x: 12, y: 1, width: 10, height: 14, kind }, colour));
}
