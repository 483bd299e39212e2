import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPermissions } from '../../../src/cli/commands/permissions.ts';
import { commandTable } from '../../../src/cli/commands/table.ts';
import { personWith } from '../../support/restricted.ts';
import { runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

let served: Served;
let namespace: string;

beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterAll(() => served.close());

/** Returns the permission groups of a command, as named in policies. */
function getGroups(words: string): string[] {
  const row = commandTable.find((one) => one.words === words);
  if (row === undefined) throw new Error(`there is no command ${words}`);
  return listPermissions(row).map((permission) =>
    permission.replace(/,.*/, '').replace(/: (Read|Edit)$/, named),
  );
}

function named(_: string, right: string): string {
  return right === 'Edit' ? ' Write' : ' Read';
}

/**
 * Returns a person whose token has only these permission groups. The environment specifies the zone, because edgectl cannot find the zone
 * if the token has no permission to read zones.
 */
async function restricted(groups: readonly string[]) {
  const person = await personWith(served, groups);
  const EDGECTL_ZONE_ID = served.sandbox.platform.registry().zoneId();
  return { ...person, env: { ...person.env, EDGECTL_ZONE_ID } };
}

const notPermitted = 4;

test('each command that acts on an account or a zone declares a permission', () => {
  const asking = commandTable.filter(({ needs, effect }) => needs !== 'nothing' && effect !== 'none');
  const bare = asking.filter((row) => listPermissions(row).length === 0).map(({ words }) => words);
  expect(bare).toEqual([]);
});

test.each([
  ['kv namespace create', ['NEW']],
  ['kv key put', ['a', 'b', '--namespace-id', 'NAMESPACE']],
  ['kv key list', ['--namespace-id', 'NAMESPACE']],
  ['objstore bucket create', ['a-bucket']],
  ['objstore object list', ['a-bucket']],
  ['secret list', ['--name', 'nobody']],
  ['worker list', []],
  ['hostname create', ['shop.acme.com']],
  ['hostname list', []],
  ['zone record set', ['www', 'A', '192.0.2.1']],
  ['zone record delete', ['www', 'A', '--yes']],
  ['zone record list', []],
  ['zone hold set', []],
])('%s needs exactly the declared permissions', async (words, rest) => {
  const groups = getGroups(words);
  const argv = [...words.split(' '), ...rest.map((word) => (word === 'NAMESPACE' ? namespace : word))];
  const enough = await runCommand(await restricted(groups), argv);
  expect(enough.code, enough.err).not.toBe(notPermitted);
  const [own = ''] = groups;
  const less = own.endsWith('Write') ? own.replace('Write', 'Read') : 'User Details Read';
  const lacking = await runCommand(await restricted([less]), argv);
  expect(lacking.code, lacking.err).toBe(notPermitted);
});
