import { expect, test } from 'vitest';
import { withSandbox } from '../../../src/services/sandbox/dns.ts';
import { loadSeed } from '../../../src/services/sandbox/seed.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';
import { foldersIn, testWorld } from '../../support/world.ts';

// "A signal still ends it": an earlier version of `sandbox snapshot load` did not pass the signal to any call, and kept writing for a
// minute.
test('stops loading a snapshot on a signal, and changes nothing', async () => {
  const person = newPerson();
  await runCommand(person, ['kv', 'namespace', 'create', 'BEFORE', '--sandbox']);
  const ending = new AbortController();
  const world = testWorld({ folders: foldersIn(person.home), interrupted: ending.signal });
  const seed = { name: 'seed.json', value: { namespaces: [{ title: 'AFTER', keys: [] }] } };
  const quiet = { note: () => undefined };
  const loaded = withSandbox(world, undefined, quiet, async (send) => {
    setImmediate(() => ending.abort());
    return loadSeed(send, seed, true);
  });
  await expect(loaded).rejects.toMatchObject({ name: 'AbortError' });
  const { out } = await runCommand(person, ['kv', 'namespace', 'list', '--sandbox']);
  expect(JSON.parse(out)).toMatchObject([{ title: expect.stringContaining('BEFORE') }]);
});
