// npm run bench [startup] [console] [bulk]: figures beside their budgets. Budgets that are missed end it with exit 1.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { benchConsole, benchConsoleStart } from './console.mjs';
import { benchStartup } from './startup.mjs';

const wanted = process.argv.slice(2);
const suites = { startup, console: consoleSuite, bulk };
let missed = 0;

for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length === 0 || wanted.includes(name)) await suite();
}
process.exitCode = missed > 0 ? 1 : 0;

async function startup() {
  print('Start-up (medians of whole processes)');
  for (const row of await benchStartup()) {
    print(
      `  ${row.name.padEnd(30)} ${ms(row.milliseconds)}  ${ratio(row.toNode)} node ${budget(row.toNode, row.nodeBudget)}` +
        (row.timesFaster === undefined
          ? ''
          : `  ${ratio(row.timesFaster)} faster than wrangler ${budget(row.timesFaster, row.wranglerBudget, true)}`),
    );
  }
}

async function consoleSuite() {
  print('Console (100,000 keys, real terminal)');
  const folder = mkdtempSync(join(tmpdir(), 'bench-console-'));
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color' };
  writeFileSync(join(folder, 'edgectl.toml'), 'kv_namespaces = [ { binding = "MANY", id = "many" } ]\n');
  const lines = Array.from({ length: 100_000 }, (_, at) =>
    JSON.stringify({ key: `key:${String(at).padStart(6, '0')}`, value: `value ${at}` }),
  );
  writeFileSync(join(folder, 'many.ndjson'), lines.join('\n'));
  const program = resolve('dist/edgectl.cjs');
  const put = [program, 'kv', 'bulk', 'put', 'many.ndjson', '--binding', 'MANY', '--local', '-q'];
  const result = spawnSync(process.execPath, put, { cwd: folder, env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
  const target = { args: [program, 'console', '--local'], env, cwd: folder };
  const start = await benchConsoleStart(target, 'MANY');
  print(
    `  first full frame               ${ms(start.milliseconds)}  ${ratio(start.toNode)} node ${budget(start.toNode, 12)}`,
  );
  const rows = await benchConsole(target, [
    ['MANY', '\r'],
    ['key:000001', ''],
  ]);
  for (const row of rows) {
    const idle =
      row.idleFrames === undefined
        ? ''
        : `  ${row.idleFrames} frames while idle ${budget(row.idleFrames, 0)}`;
    print(
      `  ${row.name.padEnd(30)} p50 ${ms(row.p50)}  p95 ${ms(row.p95)} ${budget(row.p95, row.budget)}` +
        `  ${row.bytes} B a frame ${budget(row.bytes, row.bytesBudget)}${idle}`,
    );
  }
}

async function bulk() {
  const { benchBulk } = await import('./bulk.mjs');
  await benchBulk({ print, budget, ratio });
}

/** Says whether a figure keeps its budget: at most so much, or at least so much. */
function budget(figure, limit, atLeast = false) {
  if (limit === undefined) return '';
  const kept = atLeast ? figure >= limit : figure <= limit;
  if (!kept) missed += 1;
  return `(${atLeast ? '>=' : '<='} ${limit}${kept ? '' : ' MISSED'})`;
}

function ms(number) {
  return `${number.toFixed(1)} ms`.padStart(9);
}

function ratio(number) {
  return `${number.toFixed(2)}x`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
