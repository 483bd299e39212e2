import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { killIn, measureDuration, mustRun, startProcess } from '../../support/reliability/processes.ts';
import { trial } from '../../support/reliability/trial.ts';
import { newPerson, type Person } from '../../support/run-command.ts';

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

const load = (word: string) => ['sandbox', 'snapshot', 'load', `${word}.json`, '--yes'];
const save = (file: string) => ['sandbox', 'snapshot', 'save', file];

/** Creates a person with a sandbox on disk that contains the first of two snapshots. */
async function openPlace(): Promise<{ person: Person; dir: string }> {
  const { home, cwd } = newPerson();
  const dir = join(home, 'sandbox');
  const person = { home, cwd, env: { EDGECTL_SANDBOX_DIR: dir } };
  for (const word of ['one', 'two']) writeFileSync(join(cwd, `${word}.json`), JSON.stringify(seedOf(word)));
  // A sandbox is created only in an empty folder.
  mkdirSync(dir);
  await mustRun(person, ['kv', 'namespace', 'list', '--sandbox']);
  await mustRun(person, load('one'));
  return { person, dir };
}

/** Returns which of the two snapshots was saved; throws for a mixture of both. */
function getWord(saved: string): string {
  const words = new Set([...saved.matchAll(/"(?:value|body)": "(\w+)"/g)].map(([, word]) => word));
  expect(words.size).toBe(1);
  expect([...saved.matchAll(/"key": "key:/g)]).toHaveLength(400);
  expect([...saved.matchAll(/"hostname": "(one|two)\d+\.acme\.com"/g)].length % 50).toBe(0);
  return [...words][0] ?? '';
}

trial('snapshot load', async ({ chance, size, attempted, remark }) => {
  const { person, dir } = await openPlace();
  const takes = await measureDuration(() => mustRun(person, load('one')));
  const seen: string[] = [];
  for (let kill = 0; kill < size; kill += 1) {
    await killIn(startProcess(person, load(kill % 2 === 0 ? 'two' : 'one')), chance.next() * takes * 1.5);
    seen.push(getWord(await mustRun(person, save('-'))));
    attempted();
  }
  await mustRun(person, load('one'));
  expect(getWord(await mustRun(person, save('-')))).toBe('one');
  expect(readdirSync(dir).filter((name) => name.startsWith('loading-')).length).toBeLessThan(size + 1);
  const second = seen.filter((word) => word === 'two').length;
  remark(`the earlier state, or (${second} times) the entire new state: 400 keys, a bucket and 50 hostnames`);
});

trial('snapshot save', async ({ chance, size, attempted, remark }) => {
  const { person } = await openPlace();
  const file = join(person.cwd, 'saved.json');
  writeFileSync(file, 'the earlier file');
  const takes = await measureDuration(() => mustRun(person, save('other.json')));
  const whole = readFileSync(join(person.cwd, 'other.json'), 'utf8');
  let finished = 0;
  for (let kill = 0; kill < size; kill += 1) {
    const before = readFileSync(file, 'utf8');
    await killIn(startProcess(person, [...save('saved.json'), '--force']), chance.next() * takes * 1.2);
    const after = readFileSync(file, 'utf8');
    if (after !== before) {
      getWord(after);
      finished += 1;
      writeFileSync(file, 'the earlier file');
    }
    attempted();
  }
  await mustRun(person, [...save('saved.json'), '--force']);
  // The sandbox's clock continues; all other data is unchanged.
  expect(getWord(readFileSync(file, 'utf8'))).toBe(getWord(whole));
  const left = readdirSync(person.cwd).filter((name) => name.startsWith('.'));
  expect(left.length).toBeLessThanOrEqual(size);
  remark(`the earlier file, or (${finished} times) the complete snapshot`);
});
