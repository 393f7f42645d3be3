// Sorting and filtering of runs. The order by a column is computed once, in typed arrays; a filter then walks along it.

/** Columns of more words than these are ordered by code units: collation would take too long. */
const PLAIN_ORDER_FROM = 5000;

class Query {
  constructor(store) {
    this.store = store;
    this.dimensions = DIMENSIONS.filter((name) => store.names.includes(name) && store.distinct(name) > 1);
    /** Chosen values by column; none chosen: all are shown. */
    this.chosen = new Map(this.dimensions.map((name) => [name, new Set()]));
    this.text = '';
    this.sort = { name: null, descending: false };
    /** A selection of rows from elsewhere, for example of a mark: { label, rows: Set } or null. */
    this.selection = null;
    this.orders = new Map();
    this.folded = new Map();
    this.codes = new Map(this.dimensions.map((name) => [name, coded(store.column(name))]));
  }

  /** Whether anything is filtered. */
  get isFiltered() {
    return this.text.trim() !== '' || this.selection !== null || [...this.chosen.values()].some((values) => values.size > 0);
  }

  clear() {
    this.text = '';
    this.selection = null;
    for (const values of this.chosen.values()) values.clear();
  }

  /** The options of a dimension, in order: [{ code, label }]. */
  options(name) {
    return this.codes.get(name).options;
  }

  /**
   * The rows that pass, in order, and for each dimension how many rows each value would show given all other filters.
   * @returns {{ rows: Uint32Array, counts: Map<string, Uint32Array> }}
   */
  run() {
    const { size } = this.store;
    const wanted = this.dimensions.map((name) => {
      const { codes, options } = this.codes.get(name);
      const chosen = this.chosen.get(name);
      const pass = new Uint8Array(options.length);
      for (const option of options) pass[option.code] = chosen.size === 0 || chosen.has(option.label) ? 1 : 0;
      return { codes, pass, counts: new Uint32Array(options.length) };
    });
    const found = this.#matches();
    const passed = new Uint8Array(size);
    for (let row = 0; row < size; row += 1) {
      if (found && !found[row]) continue;
      // A row counts for a value if no other dimension shuts it out.
      let [shut, by] = [0, -1];
      for (let d = 0; d < wanted.length && shut < 2; d += 1) {
        if (!wanted[d].pass[wanted[d].codes[row]]) { shut += 1; by = d; }
      }
      if (shut === 0) {
        passed[row] = 1;
        for (const { codes, counts } of wanted) counts[codes[row]] += 1;
      } else if (shut === 1) {
        wanted[by].counts[wanted[by].codes[row]] += 1;
      }
    }
    const rows = new Uint32Array(size);
    let length = 0;
    const order = this.#order();
    for (let i = 0; i < size; i += 1) {
      const row = order ? order[i] : i;
      if (passed[row]) { rows[length] = row; length += 1; }
    }
    return { rows: rows.subarray(0, length), counts: new Map(this.dimensions.map((name, d) => [name, wanted[d].counts])) };
  }

  /** Which rows hold all words of the free text and are in the selection; null if all do. */
  #matches() {
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && !this.selection) return null;
    const { size } = this.store;
    const all = new Uint8Array(size).fill(1);
    for (const word of words) {
      const hit = new Uint8Array(size);
      for (const name of this.store.names) {
        const column = this.store.column(name);
        if (!column.words) continue;
        if (!this.folded.has(name)) this.folded.set(name, column.words.map((text) => text.toLowerCase()));
        const holds = Uint8Array.from(this.folded.get(name), (text) => (text.includes(word) ? 1 : 0));
        if (!holds.includes(1)) continue;
        for (let row = 0; row < size; row += 1) if (column.codes[row] >= 0 && holds[column.codes[row]]) hit[row] = 1;
      }
      for (let row = 0; row < size; row += 1) all[row] &= hit[row];
    }
    if (this.selection) for (let row = 0; row < size; row += 1) if (!this.selection.rows.has(row)) all[row] = 0;
    return all;
  }

  /** All rows in the order that is asked for; null for that of the results. */
  #order() {
    const { name, descending } = this.sort;
    if (name === null) return null;
    const key = `${name} ${descending}`;
    if (!this.orders.has(key)) this.orders.set(key, sorted(sortKeys(this.store.column(name)), descending));
    return this.orders.get(key);
  }
}

/** Codes from 0 of a column, and what they stand for, in order; the last is for what is empty. */
function coded(column) {
  const keys = column.values ?? column.codes;
  const text = (key) => (column.values ? String(key) : column.words[key]);
  const collator = new Intl.Collator('en', { numeric: true });
  const isEmpty = (key) => Number.isNaN(key) || (!column.values && key < 0);
  const distinct = [...new Set(keys)].filter((key) => !isEmpty(key));
  distinct.sort((a, b) => (column.values ? a - b : collator.compare(text(a), text(b))));
  const numbers = new Map(distinct.map((key, code) => [key, code]));
  const options = distinct.map((key, code) => ({ code, label: text(key) }));
  const codes = Uint32Array.from(keys, (key) => numbers.get(key) ?? distinct.length);
  if (codes.includes(distinct.length)) options.push({ code: distinct.length, label: '(none)' });
  return { codes, options };
}

/** A number for each row that sorts as its value does; NaN where it is empty. */
function sortKeys(column) {
  if (column.values) return column.values;
  const { words, codes } = column;
  const collator = new Intl.Collator('en', { numeric: true });
  const compare = words.length < PLAIN_ORDER_FROM ? collator.compare : (a, b) => (a < b ? -1 : Number(a > b));
  const byName = words.map((_, code) => code).sort((a, b) => compare(words[a], words[b]));
  const ranks = new Float64Array(words.length);
  byName.forEach((code, rank) => { ranks[code] = rank; });
  return Float64Array.from(codes, (code) => (code < 0 ? NaN : ranks[code]));
}

/** Row numbers in the order of their keys; equal ones stay as they are, empty ones come last either way. */
function sorted(keys, descending) {
  const [full, empty] = [[], []];
  for (let row = 0; row < keys.length; row += 1) (Number.isNaN(keys[row]) ? empty : full).push(row);
  const rows = Uint32Array.from(full).sort(descending ? (a, b) => keys[b] - keys[a] : (a, b) => keys[a] - keys[b]);
  const order = new Uint32Array(keys.length);
  order.set(rows);
  order.set(empty, rows.length);
  return order;
}
