// Values as readers want them, in the manner of the printed tables.

const COMMAS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const TWO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 12,944.06; below 0.1 two significant digits, since today's solves are that short. */
function seconds(value) {
  if (value >= 0.0995 || value <= 0) return TWO.format(value);
  for (let decimals = 2; decimals <= 6; decimals += 1) {
    if (value * 10 ** (decimals - 1) >= 0.995) return value.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1');
  }
  return value.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** 1,234,567 and 1.5. */
function count(value) {
  return COMMAS.format(value);
}

/** Any number, with as many digits as tell something. */
function number(value) {
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? COMMAS.format(value) : value.toExponential(4);
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e9 ? String(Number(value.toPrecision(6))) : value.toExponential(3);
}

/** 50.3 MiB. */
function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) { value /= 1024; unit += 1; }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** 1 run, 2 runs. */
function plural(value, word) {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** a, b and c. */
function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A value of a column of the given kind, as text; nothing for what was not measured. */
function shown(value, kind) {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (typeof value !== 'number') return String(value);
  if (kind === 'seconds') return seconds(value);
  if (kind === 'bytes') return bytes(value);
  return kind === 'plain' ? String(value) : number(value);
}
