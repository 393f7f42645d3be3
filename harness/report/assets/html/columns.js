// The columns of runs.csv and iterations.csv: headings, groups and how values are shown. A column that is not
// listed here is shown all the same, under its own name.

/** Groups of columns of a run: [group, [[column, heading, kind of value]]]. */
const GROUPS = [
  ['Run', [
    ['experiment', 'experiment'], ['run_id', 'run id'], ['attempt', 'attempt', 'plain'], ['seed', 'seed', 'plain'],
    ['repeat', 'repeat', 'plain'], ['started_at', 'started at'],
  ]],
  ['Instance', [
    ['instance', 'instance'], ['instance_hash', 'instance hash'], ['challenge', 'challenge', 'plain'],
    ['places', 'places', 'plain'], ['colour', 'colour'],
  ]],
  ['Formulation', [
    ['formulation', 'formulation'], ['kind', 'kind'], ['families', 'families'], ['objective', 'objective'],
    ['subloops', 'subloops'], ['hole_treatment', 'hole treatment'],
  ]],
  ['Solver and limits', [
    ['solver', 'solver'], ['solver_version', 'solver version'], ['options', 'options'],
    ['threads', 'threads', 'plain'], ['time_limit_s', 'time limit (s)', 'seconds'],
    ['cpu_limit_s', 'CPU limit (s)', 'seconds'], ['memory_limit_b', 'memory limit', 'bytes'],
  ]],
  ['Outcome', [
    ['status', 'status'], ['category', 'category'], ['termination_reason', 'reason'],
    ['native_status', 'native status'], ['exit_code', 'exit code', 'plain'], ['exit_signal', 'signal', 'plain'],
    ['objective_value', 'objective value'], ['bound', 'bound'], ['gap', 'gap'], ['message', 'message'],
  ]],
  ['Solution and search', [
    ['loops', 'loops'], ['holes', 'holes'], ['iterations', 'iterations'], ['cuts', 'cuts'], ['nodes', 'nodes'],
    ['simplex_iterations', 'simplex iterations'], ['conflicts', 'conflicts'], ['propagations', 'propagations'],
    ['parts', 'parts'], ['loops_merged', 'loops merged'], ['patches', 'patches'], ['restarts', 'restarts'],
  ]],
  ['First model', [
    ['variables', 'variables'], ['constraints', 'constraints'], ['nonzeros', 'nonzeros'],
  ]],
  ['Time and memory', [
    ['solve_time_s', 'solve time (s)', 'seconds'], ['wall_time_s', 'wall time (s)', 'seconds'],
    ['cpu_time_s', 'CPU time (s)', 'seconds'], ['build_time_s', 'build time (s)', 'seconds'],
    ['peak_memory_b', 'peak memory', 'bytes'], ['memory_source', 'memory source'],
  ]],
  ['Machine', [
    ['host', 'host'], ['cpu_model', 'CPU'], ['cpus', 'pinned to CPUs'], ['jobs', 'jobs', 'plain'],
    ['isolation', 'isolation'], ['git_commit', 'git commit'], ['git_dirty', 'git dirty'],
  ]],
];

const OTHERS = 'Others';

/** Headings of the columns of a solve, in this order; those not listed follow under their own names. */
const SOLVE_COLUMNS = [
  ['iteration', 'iteration', 'plain'], ['status', 'status'], ['native_status', 'native status'],
  ['time_s', 'time (s)', 'seconds'], ['cumulative_s', 'sum (s)', 'seconds'], ['loops', 'loops'],
  ['loop_lengths', 'loop lengths'], ['holes', 'holes'], ['cuts_added', 'cuts added'],
  ['objective_value', 'objective'], ['bound', 'bound'], ['gap', 'gap'], ['nodes', 'nodes'],
  ['simplex_iterations', 'simplex iterations'], ['conflicts', 'conflicts'], ['propagations', 'propagations'],
  ['parts', 'parts'], ['loops_merged', 'loops merged'], ['patches', 'patches'], ['restarts', 'restarts'],
  ['variables', 'variables'], ['constraints', 'constraints'],
];

/** Columns that the table of runs shows at first, where they are there and tell runs apart. */
const FIRST_SHOWN = [
  'experiment', 'instance', 'challenge', 'formulation', 'solver', 'seed', 'repeat', 'status', 'category', 'solve_time_s',
  'wall_time_s', 'iterations', 'cuts', 'loops', 'holes', 'nodes', 'peak_memory_b',
];

/** Those that are shown although all runs agree in them. */
const ALWAYS_SHOWN = ['instance', 'formulation', 'solver', 'status', 'category', 'solve_time_s'];

/** Columns to filter by. */
const DIMENSIONS = [
  'experiment', 'instance', 'challenge', 'kind', 'formulation', 'solver', 'status', 'category', 'termination_reason',
];

/** Words that tell categories apart without colour. */
const CATEGORY_SIGNS = { correct: '✓', wrong: '✗', unknown: '?', error: '!' };

const KNOWN_COLUMNS = new Map(
  GROUPS.flatMap(([group, columns]) =>
    columns.map(([name, heading, kind]) => [name, { name, heading, kind: kind ?? 'number', group }])),
);

/** What is known of a column. */
function columnInfo(name) {
  return KNOWN_COLUMNS.get(name) ?? { name, heading: name.replaceAll('_', ' '), kind: 'number', group: OTHERS };
}

/** The columns that there are, by groups, in the order of the groups: [group, names]. */
function grouped(names) {
  const groups = [...GROUPS.map(([group, columns]) => [group, columns.map((column) => column[0])]),
    [OTHERS, names.filter((name) => !KNOWN_COLUMNS.has(name))]];
  const there = groups.map(([group, columns]) => [group, columns.filter((name) => names.includes(name))]);
  return there.filter(([, columns]) => columns.length > 0);
}
