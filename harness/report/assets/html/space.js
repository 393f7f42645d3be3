// Nets that fold up, in space: x to the right, y down, z towards the reader, who is so far away that nothing shrinks with distance.

const plus = (a, b) => a.map((value, axis) => value + b[axis]);
const times = (a, by) => a.map((value) => value * by);
const minus = (a, b) => plus(a, times(b, -1));
const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
const unit = (a) => times(a, 1 / Math.hypot(...a));
const middle = (points) => times(points.reduce(plus), 1 / points.length);

/** The direction in which a triangle looks whose corners go clockwise for whoever it looks at. */
function outwards([a, b, c]) {
  const [[ux, uy, uz], [vx, vy, vz]] = [minus(b, a), minus(c, a)];
  return unit([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]);
}

/** Turns a point about the x axis: what is in front goes down, what is on top comes to the front. */
function tipped([x, y, z], angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x, y * cos + z * sin, z * cos - y * sin];
}

/** Turns a point about the y axis: what is in front goes to the right. */
function spun([x, y, z], angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos + z * sin, y, z * cos - x * sin];
}

/** The corners of the faces of a net in space, folded by a share from 0 (flat) to 1. */
function folded({ bend, faces }, share) {
  const [cos, sin] = [Math.cos(bend * share), Math.sin(bend * share)];
  const placed = [];
  const place = (number) => {
    placed[number] ??= corners(faces[number]);
    return placed[number];
  };
  const corners = ({ corners: flat, vertices, hangs_on: on }) => {
    if (on === null) return flat.map(([x, y]) => [x, y, 0]);
    const [other, theirs] = [place(on), faces[on].vertices];
    const hinge = vertices.map((vertex) => other[theirs.indexOf(vertex)]);
    // The third corner is as far beyond the hinge as that of the other face is before it, but bent away from the reader.
    const before = other[theirs.findIndex((vertex) => !vertices.includes(vertex))];
    const onHinge = middle(hinge.filter(Boolean));
    const beyond = minus(onHinge, before);
    const away = times(outwards(other), -sin * Math.hypot(...beyond));
    return hinge.map((corner) => corner ?? plus(onHinge, plus(times(beyond, cos), away)));
  };
  faces.forEach((_, number) => place(number));
  return placed;
}

/** The map of the plane, as SVG writes it, that takes the corners of a triangle to others. */
function taking([a, b, c], [to, toB, toC]) {
  const [[bx, by], [cx, cy]] = [minus(b, a), minus(c, a)];
  const area = bx * cy - by * cx;
  const [ofB, ofC] = [minus(toB, to), minus(toC, to)];
  const linear = [0, 1].map((axis) => [(ofB[axis] * cy - ofC[axis] * by) / area, (ofC[axis] * bx - ofB[axis] * cx) / area]);
  return around(a, to, linear);
}

/** The map, as SVG writes it, that takes one point to another and what lies around it by a matrix. */
function around([x, y], [toX, toY], [[xx, xy], [yx, yy]]) {
  const numbers = [xx, yx, xy, yy, toX - xx * x - xy * y, toY - yx * x - yy * y];
  return `matrix(${numbers.map((value) => value.toFixed(5)).join(' ')})`;
}
