// Runs `hostname diagnose --all` on 1,000 custom hostnames and a sandbox server, with and without edge queries. Figures: seconds and API
// requests. A tenth of the hostnames have a fault.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFleet, requestsIn, run, startSandbox } from './served-sandbox.mjs';

const count = 1000;

/** Returns rows { name, seconds, requests, megabytes }; all figures except the last have a budget. */
export async function benchDiagnose() {
  const home = mkdtempSync(join(tmpdir(), 'bench-diagnose-'));
  const sandbox = await startSandbox(home, count * 2);
  try {
    const names = Array.from({ length: count }, (_, at) => `shop.customer${at}.com`);
    const file = join(home, 'customers.txt');
    writeFileSync(file, names.join('\n'));
    await prepareFleet(sandbox, { file, names, faulty: 10 });
    return [
      {
        name: 'diagnose --all --no-probe, 1,000',
        ...measure(sandbox.env, ['--no-probe']),
        secondsBudget: 20,
      },
      { name: 'diagnose --all, 1,000', ...measure(sandbox.env, []), secondsBudget: 60 },
    ];
  } finally {
    sandbox.child.kill('SIGTERM');
  }
}

function measure(env, flags) {
  const args = ['hostname', 'diagnose', '--all', '--json', ...flags];
  const requests = requestsIn(run(env, [...args, '--debug'], [7]).stderr);
  const { stdout, seconds, megabytes } = run(env, args, [7]);
  const answer = JSON.parse(stdout);
  if (answer.hostnames !== count || answer.faulty !== count / 10) {
    throw new Error(
      `${answer.hostnames} hostnames, ${answer.faulty} faulty: ${JSON.stringify(answer.causes)}`,
    );
  }
  return { seconds, requests, requestsBudget: 60, megabytes };
}
