// The picture of an iteration, flat or, where it is the net of a solid, folded up: the shapes of a face are those of the flat picture,
// taken to where the face is seen. The solid turns slowly until the reader takes hold of it.

/** Milliseconds that folding takes. */
const FOLD_MS = 1600;
/** Radians that a solid turns by itself in a second, and by a press of a key. */
const SPIN = 0.22;
const PRESS = Math.PI / 18;
/** How a solid stands once it is folded: turned aside, seen from above. */
const STANCE = { aside: -0.3, down: 0.45 };
/** The height of its picture to the width, and how much of that height the solid takes. */
const HEIGHT = 0.75;
const FILLED = 0.92;
/** Where the light comes from, and how dark a face is that it does not reach. */
const LIGHT = unit([-0.4, -0.6, 0.8]);
const SHADE = 0.22;
/** How large pegs are on the solid, where they hide more than in the flat picture. */
const PEG = 0.8;

/** Whether the reader wants nothing to move by itself. */
function isStill() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

class Solid {
  /** @param board the element that shows the pictures */
  constructor(board) {
    Object.assign(this, { board, net: null, isFolded: false, share: 0, isTurning: false, frame: null, ...STANCE });
    this.button = el('button', { type: 'button', 'data-solid': '', click: () => this.#fold(!this.isFolded) });
    this.hint = el('span', { class: 'none' }, 'Drag it to turn it, or use the arrow keys on it.');
    this.tools = el('div', { class: 'fold', hidden: true }, this.button, this.hint);
    this.element = svg('svg', {
      role: 'img', tabindex: 0, class: 'board solid', 'font-family': 'DejaVu Sans, Verdana, sans-serif',
      keydown: (event) => this.#pressed(event),
      pointerdown: (event) => this.#taken(event),
      pointermove: (event) => this.#dragged(event),
    });
    this.#say();
  }

  /**
   * Shows a picture, folded up as far as the one before it was.
   * @param flat what is shown where nothing is folded
   * @param drawn the picture, or null where `flat` is none
   * @param drawings the shapes of the pictures of its instance, and how they fold up
   */
  show(flat, drawn, { shapes, solid }) {
    this.flat = flat;
    this.net = drawn && solid ? solid : null;
    this.tools.hidden = !this.net;
    if (!this.net) { this.#put(flat); return; }
    if (this.made !== solid) this.#make(solid);
    const content = this.parts.map(() => '');
    for (const shape of drawn.shapes) {
      const part = solid.parts[shape];
      if (part !== null) content[part] += shapes[shape];
    }
    this.parts.forEach(({ content: group }, part) => { group.innerHTML = content[part]; });
    this.size = drawn.size;
    this.element.setAttribute('aria-label', `${drawn.text}; folded into a solid, which arrow keys turn`);
    this.#draw();
    this.#move();
  }

  /** Makes the groups of the faces and pegs, and measures the solid. */
  #make(solid) {
    this.made = solid;
    const facets = solid.faces.map(({ corners }, face) => {
      const [content, shade] = [svg('g'), svg('polygon', { class: 'shade', points: corners.join(' ') })];
      return { content, shade, group: svg('g', { class: 'facet', 'data-face': face + 1 }, content, shade) };
    });
    const pegs = solid.pegs.map(() => svg('g', { class: 'stand' })).map((group) => ({ content: group, group }));
    this.parts = [...facets, ...pegs];
    this.order = null;
    const corners = folded(solid, 1).flat();
    const centre = middle(corners);
    this.radius = Math.hypot(...minus(corners[0], centre));
    // The vertex on top, which comes to stand upright.
    const [, y, z] = corners.map((corner) => minus(corner, centre)).reduce((top, corner) => (corner[1] < top[1] ? corner : top));
    this.tilt = Math.atan(z / y);
  }

  #fold(isFolded) {
    this.isFolded = isFolded;
    if (isFolded) Object.assign(this, { isTurning: true }, this.share === 0 ? STANCE : {});
    // Back by the shorter way.
    else this.aside = Math.atan2(Math.sin(this.aside), Math.cos(this.aside));
    if (isStill()) this.share = Number(isFolded);
    this.#say();
    this.#draw();
    this.#move();
  }

  /** What the button says: what it leads to. */
  #say() {
    this.button.textContent = this.isFolded ? 'Flat' : 'Solid';
    this.hint.hidden = !this.isFolded;
  }

  /** Goes on from frame to frame while something moves and can be seen. */
  #move() {
    const isTurning = this.isTurning && !isStill();
    const isMoving = this.share !== Number(this.isFolded) || (this.share === 1 && isTurning);
    if (!this.net || !isMoving || this.frame !== null || !this.board.checkVisibility()) return;
    const since = performance.now();
    this.frame = requestAnimationFrame((now) => {
      this.frame = null;
      // After a pause of the browser it goes on where it was.
      const passed = Math.min(Math.max(now - since, 1), 100);
      if (this.share === 1 && this.isFolded) this.aside += this.isTurning ? SPIN * passed / 1000 : 0;
      else this.share = Math.min(1, Math.max(0, this.share + (this.isFolded ? passed : -passed) / FOLD_MS));
      if (this.net) this.#draw();
      this.#move();
    });
  }

  #put(node) {
    // What is put where it was would lose the focus.
    if (this.board.firstChild !== node) this.board.replaceChildren(node);
  }

  #draw() {
    if (this.share === 0 && !this.isFolded) { this.#put(this.flat); return; }
    const { made: { faces, pegs }, size: [width, height] } = this;
    const share = this.share * this.share * (3 - 2 * this.share);
    const higher = Math.max(HEIGHT * width - height, 0);
    this.element.setAttribute('viewBox', `0 ${-higher * share / 2} ${width} ${height + higher * share}`);
    const placed = folded(this.made, share);
    const centre = middle(placed.flat());
    // Nets are wide while they are nearly flat: they grow late.
    const scale = 1 + (FILLED * (height + higher) / 2 / this.radius - 1) * share * share;
    const [toX, toY] = plus(times([centre[0], centre[1]], 1 - share), times([width / 2, height / 2], share));
    const turned = (point) => tipped(spun(tipped(point, this.tilt * share), this.aside * share), this.down * share);
    const seen = (point) => plus(times(turned(minus(point, centre)), scale), [toX, toY, 0]);
    const there = placed.map((corners) => corners.map(seen));
    const towards = there.map(outwards);

    faces.forEach(({ corners }, face) => {
      const { group, content, shade } = this.parts[face];
      const isFront = towards[face][2] > 0;
      // A closed solid hides the backs of its faces.
      group.setAttribute('display', isFront || share < 1 ? 'inline' : 'none');
      content.setAttribute('display', isFront ? 'inline' : 'none');
      shade.classList.toggle('back', !isFront);
      shade.setAttribute('fill-opacity', isFront ? (share * SHADE * (1 - Math.max(dot(towards[face], LIGHT), 0))).toFixed(3) : 1);
      group.setAttribute('transform', taking(corners, there[face]));
    });
    const met = new Set();
    pegs.forEach(([face, corner], peg) => {
      const { group } = this.parts[faces.length + peg];
      const { corners, vertices } = faces[face];
      const [flat, at] = [corners[corner], there[face][corner]];
      // From the direction of its face to that from the centre, which all faces of a vertex have in common.
      const up = unit(plus(times(towards[face], 1 - share), times(unit(minus(at, [toX, toY, 0])), share)));
      const isSeen = up[2] > 0 && !(share === 1 && met.has(vertices[corner]));
      if (isSeen) met.add(vertices[corner]);
      group.setAttribute('display', isSeen ? 'inline' : 'none');
      // A disc seen from aside is narrow in the direction in which it leans; what is written on it stays upright.
      const length = Math.hypot(up[0], up[1]) || 1;
      const [x, y] = [up[0] / length, up[1] / length];
      const narrow = 1 - up[2];
      const linear = [[1 - narrow * x * x, -narrow * x * y], [-narrow * x * y, 1 - narrow * y * y]];
      const size = scale * (1 + (PEG - 1) * share);
      group.setAttribute('transform', around(flat, at, linear.map((row) => times(row, size))));
    });
    this.#arrange([...there.map((corners) => middle(corners)[2]), ...pegs.map(([face, corner]) => there[face][corner][2])]);
    this.#put(this.element);
  }

  /** Draws what is farther away first, and pegs after all faces. */
  #arrange(depths) {
    const faces = this.made.faces.length;
    const order = depths.map((_, part) => part).sort((a, b) => (a >= faces) - (b >= faces) || depths[a] - depths[b]);
    if (String(order) === this.order) return;
    this.order = String(order);
    this.element.replaceChildren(...order.map((part) => this.parts[part].group));
  }

  /** Turns the solid by hand, which ends that it turns by itself. */
  #turn(aside, down) {
    this.isTurning = false;
    this.aside += aside;
    this.down = Math.min(Math.max(this.down + down, -Math.PI / 2), Math.PI / 2);
    this.#draw();
  }

  /** The arrow keys, which step through the iterations where the focus is elsewhere. */
  #pressed(event) {
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!turn || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#turn(...times(turn, PRESS));
  }

  #taken(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.isTurning = false;
    this.held = [event.clientX, event.clientY];
    this.element.setPointerCapture(event.pointerId);
  }

  #dragged(event) {
    if (!event.isPrimary || !this.element.hasPointerCapture(event.pointerId)) return;
    const at = [event.clientX, event.clientY];
    // What is in the middle stays under the pointer.
    const pixels = this.element.getScreenCTM().a * FILLED * Math.max(HEIGHT * this.size[0], this.size[1]) / 2;
    this.#turn(...times(minus(at, this.held), 1 / pixels));
    this.held = at;
  }
}
