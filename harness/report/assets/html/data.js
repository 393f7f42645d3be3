// What the report carries: the head, and chunks that are inflated when they are needed.

/** The head: the experiments. Their chunks are called by their number: `e0-runs`, `e0-c0` a chart, `e0-d0` details. */
const HEAD = JSON.parse(document.getElementById('head').textContent);

const inflated = new Map();

/** The value of a chunk: base64 of deflated JSON in a script element of its own. */
function chunk(name) {
  if (!inflated.has(name)) inflated.set(name, inflate(name));
  return inflated.get(name);
}

async function inflate(name) {
  const element = document.getElementById(`chunk-${name}`);
  if (!element) throw new Error(`the report has no part ${name}: the file is not whole`);
  const packed = atob(element.textContent.trim());
  const data = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i += 1) data[i] = packed.charCodeAt(i);
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

/** The runs of all experiments as columns. A run is known by its row: a number from 0, over all experiments. */
class Store {
  /** @param chunks the runs of each experiment of the head */
  constructor(chunks) {
    this.chunks = chunks.map((part) => part.columns);
    this.starts = [0];
    for (const experiment of HEAD.experiments) this.starts.push(this.starts.at(-1) + experiment.runs);
    this.size = this.starts.at(-1);
    this.cache = new Map();
    const names = new Set(this.chunks.flatMap((columns) => Object.keys(columns)));
    names.add('experiment');
    const known = GROUPS.flatMap(([, columns]) => columns.map((column) => column[0]));
    this.names = [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !KNOWN_COLUMNS.has(name))];
  }

  static async load() {
    return new Store(await Promise.all(HEAD.experiments.map((_, number) => chunk(`e${number}-runs`))));
  }

  /** The number of the experiment of a row. */
  experiment(row) {
    let number = 0;
    while (row >= this.starts[number + 1]) number += 1;
    return number;
  }

  /** A column over all rows: { values: Float64Array } or { words, codes: Int32Array }; NaN and -1 where it is empty. */
  column(name) {
    if (!this.cache.has(name)) this.cache.set(name, name === 'experiment' ? this.#experiments() : this.#join(name));
    return this.cache.get(name);
  }

  /** The raw value of a column in a row; null where it is empty. */
  value(name, row) {
    const column = this.column(name);
    if (column.values) return Number.isNaN(column.values[row]) ? null : column.values[row];
    return column.codes[row] < 0 ? null : column.words[column.codes[row]];
  }

  /** The same as text. */
  text(name, row) {
    return shown(this.value(name, row), columnInfo(name).kind);
  }

  /** How many values a column has that differ, none included. */
  distinct(name) {
    const column = this.column(name);
    column.distinct ??= new Set(column.values ?? column.codes).size;
    return column.distinct;
  }

  /** The row of a run id; in the experiment of that slug if one is given. -1 where there is none. */
  find(id, slug) {
    const { words, codes } = this.column('run_id');
    this.codeOf ??= new Map(words.map((word, code) => [word, code]));
    const code = this.codeOf.get(id);
    if (code === undefined) return -1;
    const number = HEAD.experiments.findIndex((experiment) => experiment.slug === slug);
    const from = number < 0 ? 0 : this.starts[number];
    const row = codes.indexOf(code, from);
    return row >= 0 && (number < 0 || row < this.starts[number + 1]) ? row : codes.indexOf(code);
  }

  /** What the URL says of a row: its run id, and its experiment where others hold the same run. */
  address(row) {
    const id = this.value('run_id', row);
    // One experiment holds a run once.
    if (HEAD.experiments.length === 1) return { run: id };
    const slug = HEAD.experiments[this.experiment(row)].slug;
    return this.find(id) === row ? { run: id } : { run: id, in: slug };
  }

  /** What a run is called in a sentence. */
  title(row) {
    const parts = ['instance', 'formulation', 'solver'].map((name) => this.value(name, row)).filter(Boolean);
    for (const name of ['seed', 'repeat']) {
      if (this.names.includes(name) && this.distinct(name) > 1) parts.push(`${name} ${this.text(name, row)}`);
    }
    return parts.join(', ');
  }

  /** Status and category, in words. */
  verdict(row) {
    return ['status', 'category'].map((name) => this.value(name, row)).filter(Boolean).join(', ');
  }

  #experiments() {
    const codes = new Int32Array(this.size);
    HEAD.experiments.forEach((_, number) => codes.fill(number, this.starts[number], this.starts[number + 1]));
    // Several directories may hold an experiment of one name; the slugs of their files differ.
    return { words: HEAD.experiments.map((experiment) => experiment.slug), codes };
  }

  #join(name) {
    const parts = this.chunks.map((columns) => columns[name]);
    if (parts.every((part) => !part || part.values)) {
      const values = new Float64Array(this.size).fill(NaN);
      parts.forEach((part, number) => part?.values.forEach((value, index) => {
        if (value !== null) values[this.starts[number] + index] = Number(value);
      }));
      return { values };
    }
    const [words, codes, known] = [[], new Int32Array(this.size).fill(-1), new Map()];
    const coded = (word) => {
      if (!known.has(word)) { known.set(word, words.length); words.push(word); }
      return known.get(word);
    };
    parts.forEach((part, number) => {
      const start = this.starts[number];
      const map = part?.words?.map(coded);
      part?.codes?.forEach((code, index) => { if (code !== null) codes[start + index] = map[code]; });
      part?.values?.forEach((value, index) => { if (value !== null) codes[start + index] = coded(String(value)); });
    });
    return { words, codes };
  }
}

/** The details of a run: log, command, solves, pictures. */
async function details(store, row) {
  const number = store.experiment(row);
  const { detail_size: size } = HEAD.experiments[number];
  const index = row - store.starts[number];
  const detail = (await chunk(`e${number}-d${Math.floor(index / size)}`))[index % size];
  return { ...detail, solves: detail.solves.map(solveOf) };
}

/** A solve by the names of its columns, without those that are empty. */
function solveOf(cells) {
  return Object.fromEntries(HEAD.solve_columns.map((name, at) => [name, cells[at]]).filter(([, cell]) => cell !== null));
}
