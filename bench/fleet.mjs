// Runs list, forecast, diagnose and reconcile on 10,000 custom hostnames of a sandbox server. The reconcile has 500 differences, and is
// interrupted and resumed. The figure "minutes" is the time that the requests take with the platform's budget of 1,200 requests in 5
// minutes.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measured, megabytesIn, requestsIn, run, startSandbox } from './served-sandbox.mjs';

const count = 10_000;
/** Numbers of hostnames that the reconcile creates, changes and deletes. */
const created = 200;
const changed = 200;
const deleted = 100;
const megabytesBudget = 200;

/** Returns rows { name, seconds, requests, minutes, megabytes }; requests, minutes and memory have budgets. */
export async function benchFleet() {
  const home = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  const names = Array.from({ length: count }, (_, at) => `shop.customer${at}.com`);
  const sandbox = await startSandbox(home, count * 2, seedFile(home, names));
  try {
    return [
      look(sandbox, 'list', ['hostname', 'list', '--json'], [0], 250),
      look(sandbox, 'forecast', ['hostname', 'forecast', '--json'], [7], 250),
      look(sandbox, 'diagnose', ['hostname', 'diagnose', '--all', '--no-probe', '--json'], [7], 250),
      ...(await reconcile(sandbox, home, names)),
    ];
  } finally {
    sandbox.child.kill('SIGTERM');
  }
}

/**
 * Writes a seed with hostnames that have been active for some time. The DNS of every hundredth hostname no longer points to the platform.
 */
function seedFile(home, names) {
  const file = join(home, 'seed.json');
  const ssl = { status: 'active' };
  const hostnames = names.map((hostname) => ({ hostname, status: 'active', created_at: '-41d', ssl }));
  const away = names.filter((_, at) => at % 100 === 0);
  const dns = away.map((name) => ({ name, type: 'CNAME', contents: ['shop.elsewhere.com'] }));
  writeFileSync(file, JSON.stringify({ hostnames, dns }));
  return file;
}

function look({ env }, name, args, statuses, requestsBudget) {
  const { seconds, megabytes, stderr } = run(env, [...args, '--debug'], statuses);
  const requests = requestsIn(stderr);
  if (!/"type":"progress"/.test(stderr)) throw new Error(`${name} shows no progress`);
  return row(name, { seconds, requests, megabytes, requestsBudget });
}

function row(name, figures) {
  const minutes = budgetMinutes(figures.requests);
  return { name: `${name}, ${count.toLocaleString('en')}`, ...figures, minutes, megabytesBudget };
}

/** Returns how many minutes the budget delays the requests: 300 requests can be sent immediately, then 3 per second. */
function budgetMinutes(requests) {
  return Math.max(0, requests - 300) / 3 / 60;
}

async function reconcile({ env }, home, names) {
  const kept = names.slice(deleted).map((name, at) => `${name},${at < changed ? '1.3' : ''}`);
  const fresh = Array.from({ length: created }, (_, at) => `new.customer${at}.com,`);
  const wanted = join(home, 'wanted.csv');
  writeFileSync(wanted, ['hostname,min_tls', ...kept, ...fresh].join('\n'));
  const words = ['hostname', 'reconcile', '--file', wanted, '--prune', '--limit', String(deleted), '--json'];
  const plan = run(env, [...words, '--plan', '--debug']);
  const { hash, counts } = JSON.parse(plan.stdout);
  const left = count - changed - deleted;
  const found = [counts.create, counts.change, counts.delete, counts.leave];
  if (String(found) !== String([created, changed, deleted, left])) throw new Error(JSON.stringify(counts));
  const apply = ['hostname', 'reconcile', '--apply', hash, '--yes', '--json', '--debug', '--rate', '99999'];
  const first = await interrupted(env, apply, 150);
  const second = run(env, apply);
  const again = run(env, [...words, '--plan']);
  if (JSON.parse(again.stdout).counts.leave !== count - deleted + created) throw new Error(again.stdout);
  const lines = first.lines + second.stdout.trim().split('\n').length;
  // The step in progress at Ctrl-C is completed but not reported.
  const steps = created + changed + deleted;
  if (lines < steps - 1 || lines > steps) throw new Error(`${lines} results of ${steps}`);
  return [
    row('reconcile --plan', { ...figuresOf(plan), requestsBudget: 250 }),
    row('reconcile --apply, stopped', { ...figuresOf(first), requestsBudget: 550 }),
    row('reconcile --apply, resumed', { ...figuresOf(second), requestsBudget: 700 }),
  ];
}

function figuresOf({ seconds, megabytes, stderr }) {
  return { seconds, megabytes, requests: requestsIn(stderr) };
}

/** Runs the program and sends Ctrl-C after this number of results. */
function interrupted(env, args, results) {
  return new Promise((settle, fail) => {
    const begun = process.hrtime.bigint();
    const child = spawn(process.execPath, measured(args), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let lines = 0;
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      lines += text.split('\n').length - 1;
      if (lines >= results) child.kill('SIGINT');
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('close', (status) => {
      const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
      if (status !== 130) fail(new Error(`interrupted: ${status}\n${stderr}`));
      settle({ lines, stderr, seconds, megabytes: megabytesIn(stderr) });
    });
  });
}
