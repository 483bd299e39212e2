// npm run bench [startup] [console] [lists] [bulk] [diagnose] [sandbox] [fleet] [guard]: prints figures next to their budgets; exits
// with 1 if a budget is missed.

/** The suites, loaded on demand. Each suite returns or yields rows: a name and figures, some with a budget. */
const suites = {
  startup: async () => (await import('./startup.mjs')).benchStartup(),
  console: async () => (await import('./console.mjs')).benchConsole(),
  lists: async () => (await import('./lists.mjs')).benchLists(),
  bulk: async () => (await import('./bulk.mjs')).benchBulk(),
  diagnose: async () => (await import('./diagnose.mjs')).benchDiagnose(),
  sandbox: async () => (await import('./sandbox.mjs')).benchSandbox(),
  fleet: async () => (await import('./fleet.mjs')).benchFleet(),
  guard: async () => (await import('./guard.mjs')).benchGuard(),
};

/** The formats of the figures in a row: the field, its label, the field of its budget, and the comparison of the figure with the budget. */
const figures = [
  ['first', (value) => `first frame ${value.toFixed(1)} ms`, 'firstBudget', atMost],
  ['milliseconds', (value) => `${value.toFixed(1)} ms`, 'millisecondsBudget', atMost],
  ['toNode', (value) => `${value.toFixed(2)}x bare node`, 'nodeBudget', atMost],
  ['perSecond', (value) => `${Math.round(value)} entries/s`],
  ['timesFaster', (value) => `${value.toFixed(1)}x faster than wrangler`, 'wranglerBudget', atLeast],
  ['timesFloor', (value) => `${value.toFixed(2)}x bare sqlite and fs`, 'floorBudget', atMost],
  ['requestsPerSecond', (value) => `${Math.round(value)} requests/s`],
  ['timesMiniflare', (value) => `${value.toFixed(1)}x Miniflare's`, 'miniflareBudget', atLeast],
  ['timesBare', (value) => `${value.toFixed(2)}x bare node:http and node:sqlite`],
  ['p50', (value) => `p50 ${value.toFixed(1)} ms`],
  ['p95', (value) => `p95 ${value.toFixed(1)} ms`, 'budget', atMost],
  ['cpu', (value) => `${value.toFixed(1)} ms on a processor`],
  ['cpuToNode', (value) => `${value.toFixed(2)}x bare node's`],
  ['cpu95', (value) => `p95 ${value.toFixed(1)} ms of that`],
  ['bytes', (value) => `${value} B a frame`, 'bytesBudget', atMost],
  ['idleFrames', (value) => `${value} frames`, 'idleBudget', atMost],
  ['seconds', (value) => `${value.toFixed(1)} s`, 'secondsBudget', atMost],
  ['requests', (value) => `${value} requests`, 'requestsBudget', atMost],
  ['minutes', (value) => `${value.toFixed(1)} min of the budget`],
  ['megabytes', (value) => `${value.toFixed(0)} MB`, 'megabytesBudget', atMost],
];

let missed = 0;
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(suites)) {
  const suite = suites[name];
  if (suite === undefined)
    throw new Error(`Unknown suite "${name}". Suites: ${Object.keys(suites).join(', ')}.`);
  for await (const row of await suite()) process.stdout.write(`${lineOf(row)}\n`);
}
process.exitCode = missed > 0 ? 1 : 0;

function lineOf(row) {
  const said = figures.flatMap(([field, text, budgetField, keeps]) => {
    const value = row[field];
    if (value === undefined) return [];
    const limit = row[budgetField];
    return [limit === undefined ? text(value) : `${text(value)} ${keeps(value, limit)}`];
  });
  return `${row.name.padEnd(36)} ${said.join(', ')}`;
}

function atMost(value, limit) {
  return kept(value <= limit, `<= ${limit}`);
}

function atLeast(value, limit) {
  return kept(value >= limit, `>= ${limit}`);
}

function kept(yes, budget) {
  if (!yes) missed += 1;
  return `(${budget}${yes ? '' : ' MISSED'})`;
}
