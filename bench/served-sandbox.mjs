// Starts a separate sandbox server for a suite, and sends requests to it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const program = resolve('dist/edgectl.cjs');

/**
 * Starts a sandbox below `home` that issues this number of certificates per minute, with the data of `seed` if it is set. `place` contains
 * the flags that select the sandbox's data.
 */
export async function startSandbox(home, issuances, seed, place = ['--dir', join(home, 'sandbox')]) {
  const readyFile = join(home, 'ready.json');
  const ports = ['--port', '0', '--edge-port', '0', '--issuance-limit', String(issuances)];
  const args = ['sandbox', 'start', ...ports, ...place, '--ready-file', readyFile];
  if (seed !== undefined) args.push('--seed', seed);
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

/** Creates an active zone with hostnames. The DNS of every hostname points to the zone, except for every `faulty`th hostname. */
export async function prepareFleet({ ready, env }, { file, names, faulty }) {
  const api = (method, path, body) => call(ready, method, path, body);
  const zone = `/zones/${ready.zoneId}`;
  for (const name of ['customers', 'origin']) {
    const record = { type: 'A', name: `${name}.saas.sandbox`, content: '192.0.2.1', proxied: true };
    await api('POST', `${zone}/dns_records`, record);
  }
  await api('PUT', `${zone}/custom_hostnames/fallback_origin`, { origin: 'origin.saas.sandbox' });
  await api('POST', '/sandbox/clock', { seconds: 60 });
  const entries = names.map((name, at) => ({
    name,
    type: 'CNAME',
    contents: [at % faulty === 0 ? 'shop.elsewhere.com' : 'customers.saas.sandbox'],
  }));
  await api('PUT', '/sandbox/dns', entries);
  const rate = ['--rate', String(names.length * 2)];
  const created = spawnSync(
    process.execPath,
    [program, 'hostname', 'create', '--file', file, ...rate, '--quiet'],
    { env, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
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

const probe = `process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\\n"))`;

/** Returns the Node arguments that run the program and make it report its peak memory when it exits. */
export function measured(args) {
  return ['--import', `data:text/javascript,${probe}`, program, ...args];
}

/** Runs the program; returns its output, the time in seconds, and its peak memory in megabytes. */
export function run(env, args, statuses = [0]) {
  const begun = process.hrtime.bigint();
  const ran = spawnSync(process.execPath, measured(args), { env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  if (!statuses.includes(ran.status)) throw new Error(`${args.join(' ')}: ${ran.status}\n${ran.stderr}`);
  return { ...ran, seconds, megabytes: megabytesIn(ran.stderr) };
}

export function megabytesIn(stderr) {
  return Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
}

/** Returns the number of requests to the platform in --debug output. */
export function requestsIn(stderr) {
  return stderr.split('\n').filter((line) => / -> \d{3} \(/.test(line)).length;
}
