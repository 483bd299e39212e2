import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, userEnvironment } from '../support/program.ts';
import type { Passing } from '../support/proxy.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let namespace: string;

beforeEach(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
  const entries = Array.from({ length: 1000 }, (_, index) => ({ key: `key:${index}`, value: '' }));
  writeFileSync(join(served.person.cwd, 'entries.json'), JSON.stringify(entries));
});
afterEach(() => served.close());

const isBulk = ({ method, path }: Passing): boolean => method === 'PUT' && path.endsWith('/bulk');

/** Starts a put whose requests are held at the proxy until the test releases them. */
async function startHeld() {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  served.proxy.use(async (passing) => {
    if (!isBulk(passing)) return undefined;
    waiting++;
    await gate.promise;
    return undefined;
  });
  const argv = ['kv', 'bulk', 'put', 'entries.json', '--namespace-id', namespace, '--batch-size', '100'];
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: served.person.cwd,
    env: { ...userEnvironment(served.person.home), ...served.person.env },
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  while (waiting < 4) await pause(5);
  return { child, letGo: gate.resolve, said: () => Buffer.concat(said).toString() };
}

describe('Ctrl-C during a bulk put', () => {
  it('Ctrl-C waits for the pending requests, starts no other requests, and explains how to resume', async () => {
    const { child, letGo, said } = await startHeld();
    child.kill('SIGINT');
    while (!said().includes('Stopping')) await pause(5);
    letGo();
    const [code] = await once(child, 'close');
    expect({ code, said: said() }).toMatchObject({ code: 130 });
    expect(served.proxy.passed.filter(isBulk)).toHaveLength(4);
    expect(said()).toContain('Wrote 400 entries');
    expect(said()).toContain('To resume: edgectl kv bulk put entries.json');
  });

  it('a second Ctrl-C ends the command immediately', async () => {
    const { child, letGo, said } = await startHeld();
    child.kill('SIGINT');
    while (!said().includes('Stopping')) await pause(5);
    const closed = once(child, 'close');
    child.kill('SIGINT');
    const [code] = await closed;
    letGo();
    expect(code).toBe(130);
    expect(said()).not.toContain('Wrote');
  });
});
