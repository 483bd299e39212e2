// Measures the additional time of a request through a guard, compared with a forwarder that only passes on bytes.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, percentile } from './figures.mjs';
import { program, startSandbox } from './served-sandbox.mjs';

const rounds = 400;

/** Yields one row for reads and one row for writes: additional milliseconds compared with a plain forwarder, one request at a time. */
export async function* benchGuard() {
  const home = mkdtempSync(join(tmpdir(), 'edgectl-bench-'));
  const sandbox = await startSandbox(home, 15);
  const bare = await openForwarder(new URL(sandbox.ready.apiBaseUrl));
  const guard = await startGuard(sandbox.env);
  try {
    const forwarded = { base: bare.base, token: sandbox.ready.apiToken };
    const guarded = { base: guard.apiBaseUrl, token: guard.apiToken };
    const kv = `/accounts/${sandbox.ready.accountId}/storage/kv/namespaces`;
    const made = await send(forwarded, 'POST', kv, '{"title":"bench"}');
    const value = `${kv}/${JSON.parse(made.text).result.id}/values/key`;
    for (const [method, name] of [
      ['PUT', 'guard: write a value'],
      ['GET', 'guard: read a value'],
    ]) {
      const body = method === 'PUT' ? 'value' : undefined;
      const extra = [];
      // Alternates between the guard and the forwarder, so that load on the machine affects both.
      for (let round = 0; round < rounds; round++) {
        const without = await send(forwarded, method, value, body);
        const through = await send(guarded, method, value, body);
        extra.push(through.milliseconds - without.milliseconds);
      }
      yield { name, milliseconds: median(extra), millisecondsBudget: 2, p95: percentile(extra, 0.95) };
    }
  } finally {
    guard.child.kill();
    bare.server.close();
    bare.server.closeAllConnections();
    sandbox.child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

const agent = new Agent({ keepAlive: true });

function send({ base, token }, method, path, body) {
  const begun = performance.now();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers, agent }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      if (answer.statusCode !== 200) reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
      resolve({ text, milliseconds: performance.now() - begun });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Starts a server that passes on requests and answers unchanged. */
async function openForwarder({ hostname, port, pathname }) {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, base: `http://127.0.0.1:${server.address().port}${pathname}` };
}

async function startGuard(env) {
  const args = [program, 'guard', 'start', '--json', '--no-undo'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.trimEnd().endsWith('}')) break;
  }
  return { child, ...JSON.parse(text) };
}
