// `hostname diagnose --all` over 1,000 custom hostnames against a sandbox server: seconds, requests to the API, and
// the same with the edge asked as well. A tenth of the hostnames has a fault.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = resolve('dist/edgectl.cjs');
const count = 1000;

/** Rows { name, seconds, requests, megabytes }, each figure beside its budget but the last. */
export async function benchDiagnose() {
  const home = mkdtempSync(join(tmpdir(), 'bench-diagnose-'));
  const sandbox = await startSandbox(home);
  try {
    await prepare(sandbox, home);
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

async function startSandbox(home) {
  const readyFile = join(home, 'ready.json');
  const ports = ['--port', '0', '--edge-port', '0', '--issuance-limit', String(count * 2)];
  const args = ['sandbox', 'start', ...ports, '--dir', join(home, 'sandbox'), '--ready-file', readyFile];
  const env = { PATH: process.env.PATH, HOME: home };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the sandbox did not start');
    await sleep(10);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {
    child,
    ready,
    env: {
      ...env,
      EDGECTL_API_BASE_URL: ready.apiBaseUrl,
      EDGECTL_ACCOUNT_ID: ready.accountId,
      EDGECTL_API_TOKEN: ready.apiToken,
    },
  };
}

/** A zone that serves, and 1,000 hostnames whose customers point there, but for every tenth. */
async function prepare({ ready, env }, home) {
  const api = (method, path, body) => call(ready, method, path, body);
  const zone = `/zones/${ready.zoneId}`;
  for (const name of ['customers', 'origin']) {
    const record = { type: 'A', name: `${name}.saas.sandbox`, content: '192.0.2.1', proxied: true };
    await api('POST', `${zone}/dns_records`, record);
  }
  await api('PUT', `${zone}/custom_hostnames/fallback_origin`, { origin: 'origin.saas.sandbox' });
  await api('POST', '/sandbox/clock', { seconds: 60 });
  const names = Array.from({ length: count }, (_, at) => `shop.customer${at}.com`);
  const entries = names.map((name, at) => ({
    name,
    type: 'CNAME',
    contents: [at % 10 === 0 ? 'shop.elsewhere.com' : 'customers.saas.sandbox'],
  }));
  await api('PUT', '/sandbox/dns', entries);
  const file = join(home, 'customers.txt');
  writeFileSync(file, names.join('\n'));
  const args = ['hostname', 'create', '--file', file, '--rate', String(count * 2), '--quiet'];
  const created = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  if (created.status !== 0) throw new Error(created.stderr);
  await api('POST', '/sandbox/clock', { seconds: 3600 });
}

async function call({ apiBaseUrl, apiToken }, method, path, body) {
  const answer = await fetch(apiBaseUrl + path, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

function measure(env, flags) {
  const args = [program, 'hostname', 'diagnose', '--all', '--json', ...flags];
  const watched = spawnSync(process.execPath, [...args, '--debug'], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const requests = watched.stderr.split('\n').filter((line) => / -> \d{3} \(/.test(line)).length;
  const begun = process.hrtime.bigint();
  const probe = `process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))`;
  const ran = spawnSync(process.execPath, ['--import', `data:text/javascript,${probe}`, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  const answer = JSON.parse(ran.stdout);
  if (answer.hostnames !== count || answer.faulty !== count / 10) {
    throw new Error(
      `${answer.hostnames} hostnames, ${answer.faulty} faulty: ${JSON.stringify(answer.causes)}`,
    );
  }
  const megabytes = Number(/peak (\d+)/.exec(ran.stderr)?.[1]) / 1024;
  return { seconds, requests, requestsBudget: 60, megabytes };
}
