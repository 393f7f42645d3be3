// Axes: range, ticks and places, as the printed plots have them.

/** Times below this cannot be told apart and have no place on a logarithmic axis. */
const SHORTEST_S = 1e-4;
/** Nothing is measured to better than that; axes that charts share begin no lower. */
const FINEST_S = 1e-6;
/** The part of the distance between neighbours over which curves are shifted apart. */
const DODGED_SHARE = 0.3;

/**
 * The axis of a dimension for these values.
 * @returns {{ low, high, ticks: [{ at, text }], minor: number[], place(value): number }} `at`, `minor` and the result
 *   of `place` are shares of its length, 0 to 1
 */
function axisOf({ scale, names, within }, values) {
  // Charts that share a range show all of it.
  const known = within ?? values.filter(Number.isFinite);
  if (scale === 'names') return nameAxis(names ?? []);
  if (scale === 'seconds' || scale === 'ratios') return logAxis(scale, known, within !== undefined);
  if (scale === 'shares') return evenAxis(0, 1, -0.02, 1.04, [0, 0.2, 0.4, 0.6, 0.8, 1]);
  if (scale === 'challenges') return challengeAxis(known);
  const most = Math.max(1, ...extremes(known));
  return evenAxis(0, most, 0, Math.max(most * 1.08, most + 0.4), roundTicks(0, most, 7));
}

/** Least and most of a list that may be long; nothing of an empty one. */
function extremes(values) {
  if (values.length === 0) return [];
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) { least = Math.min(least, value); most = Math.max(most, value); }
  return [least, most];
}

/** The smallest distance between values that differ; 1 where there is none. */
function smallestGap(values) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const gaps = distinct.slice(1).map((value, index) => value - distinct[index]);
  return gaps.length === 0 ? 1 : Math.min(...gaps);
}

function axis(low, high, ticks, minor, map) {
  const place = (value) => (map(value) - low) / (high - low);
  const inside = (share) => share >= -1e-9 && share <= 1 + 1e-9;
  return {
    place,
    ticks: ticks.map(([value, text]) => ({ at: place(value), text })).filter((tick) => inside(tick.at)),
    minor: minor.map(place).filter(inside),
  };
}

function evenAxis(first, last, low, high, ticks) {
  return axis(low, high, ticks.map((tick) => [tick, number(tick)]), [], (value) => value);
}

function nameAxis(names) {
  return axis(-0.5, Math.max(names.length, 1) - 0.5, names.map((name, index) => [index, name]), [], (value) => value);
}

function challengeAxis(values) {
  let ticks = [...new Set(values)].sort((a, b) => a - b);
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const gap = smallestGap(ticks);
  const margin = Math.max((last - first) * 0.06, 0.5, (gap * DODGED_SHARE) / 2 + (last - first) * 0.03);
  if (ticks.length > 14 || (last - first) / gap > 24) ticks = roundTicks(first, last, 10);
  return evenAxis(first, last, first - margin, last + margin, ticks);
}

function logAxis(scale, values, isShared = false) {
  const shortest = isShared ? FINEST_S : scale === 'seconds' ? SHORTEST_S : 1e-9;
  const log = (value) => Math.log10(Math.max(value, shortest));
  const logs = values.map(log);
  if (scale === 'ratios') logs.push(0);
  const [least = 0, most = 0] = extremes(logs);
  const margin = 0.12 + 0.03 * (most - least);
  const [low, high] = [least - margin, most + margin];
  const multiples = (factors) => {
    const all = [];
    for (let decade = Math.floor(low); decade <= high; decade += 1) {
      for (const factor of factors) all.push(decade + Math.log10(factor));
    }
    return all.filter((value) => value >= low && value <= high);
  };
  let ticks = multiples([1]);
  if (ticks.length < 2) ticks = multiples([1, 2, 5]);
  else if (ticks.length > 7) ticks = ticks.filter((_, index) => index % 2 === 0);
  if (scale === 'ratios' && !ticks.includes(0)) ticks.push(0);
  const label = (tick) => [10 ** tick, tickText(10 ** tick)];
  return axis(low, high, ticks.map(label), multiples([2, 3, 4, 5, 6, 7, 8, 9]).map((tick) => 10 ** tick), log);
}

/** 0.01, 1, 1000. */
function tickText(value) {
  return value >= 1 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

/** Multiples of 1, 2 or 5 times a power of ten, at whole numbers only. */
function roundTicks(first, last, most) {
  let step = 1;
  for (let power = 1; (last - first) / step > most; power *= 10) {
    step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => (last - first) / size <= most) ?? power * 10;
  }
  const ticks = [];
  for (let tick = Math.ceil(first / step) * step; tick <= last + 1e-9; tick += step) ticks.push(tick);
  return ticks;
}
