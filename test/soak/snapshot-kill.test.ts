import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { exitOf } from '../support/kills.ts';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const seedOf = (word: string) => ({
  namespaces: [
    {
      title: 'CONFIG',
      id: 'a'.repeat(32),
      keys: Array.from({ length: 400 }, (_, at) => ({ key: `key:${at}`, value: word })),
    },
  ],
  buckets: [{ name: word, objects: [{ key: 'word', body: word }] }],
  hostnames: Array.from({ length: 50 }, (_, at) => ({ hostname: `${word}${at}.acme.com` })),
});

it('a snapshot that is killed thirty times while it is loaded leaves the one or the other, whole', async () => {
  const home = scratchFolder('snapshot-kill');
  const dir = join(home, 'sandbox');
  const env = { ...userEnvironment(home), EDGECTL_SANDBOX_DIR: dir };
  /** Runs the program; rejects unless it ends well. */
  const run = (argv: readonly string[]) =>
    promisify(execFile)(process.execPath, [program, ...argv], { env, cwd: home, maxBuffer: 2 ** 26 });
  for (const word of ['one', 'two']) writeFileSync(join(home, `${word}.json`), JSON.stringify(seedOf(word)));
  const load = (word: string) => ['sandbox', 'snapshot', 'load', `${word}.json`, '--dir', dir, '--yes'];
  // A sandbox is made where the folder is empty.
  mkdirSync(dir);
  await run(['kv', 'namespace', 'list', '--sandbox']);
  const begun = Date.now();
  await run(load('one'));
  const takes = Date.now() - begun;
  for (let kill = 0; kill < 30; kill += 1) {
    const child = spawn(process.execPath, [program, ...load(kill % 2 === 0 ? 'two' : 'one')], {
      cwd: home,
      env,
      stdio: 'ignore',
    });
    await pause(Math.random() * takes * 2.5);
    child.kill('SIGKILL');
    await exitOf(child);
    const saved = await run(['sandbox', 'snapshot', 'save', '-', '--dir', dir]);
    const words = new Set([...saved.stdout.matchAll(/"(?:value|body)": "(\w+)"/g)].map(([, word]) => word));
    expect(words.size).toBe(1);
    expect([...saved.stdout.matchAll(/"key": "key:/g)]).toHaveLength(400);
    expect([...saved.stdout.matchAll(/"hostname": "(one|two)\d+\.acme\.com"/g)].length % 50).toBe(0);
  }
  await run(load('one'));
  expect(readdirSync(dir).filter((name) => name.startsWith('loading-')).length).toBeLessThan(31);
});
