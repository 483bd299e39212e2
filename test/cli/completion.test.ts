import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoot, commandTable } from '../../src/cli/commands/table.ts';
import { offerAt } from '../../src/cli/completion/candidates.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { openServed } from '../support/served.ts';

const offered = (...words: string[]) => {
  const offer = offerAt(words, commandRoot);
  return offer.kind === 'words' ? offer.words.map(({ word }) => word) : offer;
};

test.each([
  [['kv', 'b'], ['bulk']],
  [
    ['kv', 'key', ''],
    ['put', 'list', 'get', 'delete', 'diff'],
  ],
  [['help', 'zone', 'h'], ['hold']],
  [['--json', 'kv', 'key', 'g'], ['get']],
  [
    ['kv', 'key', 'get', '--pr'],
    ['--preview', '--profile'],
  ],
  [['kv', 'key', 'get', '--preview', '--pr'], ['--profile']],
  [
    ['hostname', 'diagnose', '--resolver', '1.1.1.1', '--res'],
    ['--resolver', '--resume'],
  ],
  [['kv', '--qui'], ['--quiet']],
  [
    ['kv', 'nothing', ''],
    ['namespace', 'key', 'bulk', 'export', 'copy', 'diff'],
  ],
  [['completion', 'z'], ['zsh']],
  [
    ['sandbox', 'fault', 'add', '--cut', ''],
    ['before', 'in', 'after'],
  ],
  [['sandbox', 'fault', 'add', '--cut=a'], ['--cut=after']],
  [
    ['kv', 'copy', '--on-conflict', ''],
    ['fail', 'skip', 'overwrite'],
  ],
  [['hostname', 'list', '--status', 'm'], ['moved']],
  [
    ['setting', 'set', 'dom'],
    ['domain-connect', 'domain-connect-key'],
  ],
])('completes %j with %j', (words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

test('completes every choice that help lists, in every command', () => {
  const choice = /(?:^|: )(?:[\w.]+(?: \([^)]*\))?, )*[\w.]+ or [\w.]+(?:;|$)/;
  const givesChoice = (about: string) => choice.test(about.replace(/; .*/, ''));
  const silent = commandTable.flatMap((row) => {
    const declared = [...Object.entries(row.flags), ...Object.entries(row.arguments)];
    const those = declared.filter(([, { kind, about }]) => (kind ?? 'text') === 'text' && givesChoice(about));
    return those
      .filter(([, { completes }]) => completes === undefined)
      .map(([name]) => `${row.words}: ${name}`);
  });
  expect(silent).toEqual([]);
});

test.each([
  [['kv', 'key', 'get', '--binding', ''], { kind: 'names', of: 'binding', before: '' }],
  [['kv', 'key', 'get', '--binding=S'], { kind: 'names', of: 'binding', before: '--binding=' }],
  [['hostname', 'get', ''], { kind: 'names', of: 'hostname', before: '' }],
  [['hostname', 'diagnose', 'a.com', ''], { kind: 'names', of: 'hostname', before: '' }],
  [['objstore', 'object', 'get', 'x'], { kind: 'names', of: 'bucket', before: '' }],
  [['hostname', 'get', 'a.com', ''], { kind: 'nothing' }],
  [['kv', 'key', 'get', ''], { kind: 'nothing' }],
  [['kv', 'key', 'put', 'a', '--metadata', ''], { kind: 'nothing' }],
  [['kv', 'bulk', 'put', ''], { kind: 'files' }],
  [['--config', ''], { kind: 'files' }],
])('completes %j from a lookup: %j', (words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

test('completes names that exist where the command would act, caches them for a minute, and offers none after a failed lookup', async () => {
  const served = await openServed();
  const asked = ['completion', 'words', '--', 'kv', 'key', 'get', '--namespace-id', ''];
  const id = await served.createNamespace('sessions');
  const first = await runCommand(served.person, asked);
  expect(first).toMatchObject({ code: 0, out: `${id}\tsessions\n`, err: '' });
  await served.createNamespace('another');
  expect((await runCommand(served.person, asked)).out).toBe(first.out);
  const waiting = ['completion', 'words', '--', 'kv', 'key', 'get', '--profile', ''];
  expect((await runCommand(served.person, waiting)).out).toBe('sandbox\t\n');
  await served.close();
  const nobody = newPerson({ ...served.person.env, EDGECTL_API_TOKEN: 'another' });
  expect(await runCommand(nobody, asked)).toMatchObject({ code: 0, out: '', err: '' });
});

test('completes bindings from the configuration, and prints nothing for an invalid file', async () => {
  const person = newPerson();
  const asked = ['completion', 'words', '--', 'kv', 'key', 'get', '--binding', 'C'];
  writeFileSync(join(person.cwd, 'edgectl.toml'), '[[kv_namespaces]]\nbinding = "CATALOGUE"\n');
  expect(await runCommand(person, asked)).toMatchObject({ code: 0, out: 'CATALOGUE\t\n' });
  writeFileSync(join(person.cwd, 'edgectl.toml'), '[[kv_namespaces');
  expect(await runCommand(person, asked)).toMatchObject({ code: 0, out: '', err: '' });
});

test('prints a completion script for each shell, and an error for other shells', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await runCommand(newPerson(), ['completion', shell]);
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/edgectl/)]);
  }
  expect(await runCommand(newPerson(), ['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('No completion script for "tcsh".'),
  });
});
