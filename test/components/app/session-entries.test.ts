import { expect, test } from 'vitest';
import {
  readFailures,
  type SessionChoices,
  sessionEntries,
} from '../../../components/app/session-entries.ts';
import { createConsoleTasks } from '../../../components/app/tasks.ts';
import { openTasks } from '../../services/tasks/platform.ts';

const nothing = {
  signsInWith: null,
  email: null,
  accountId: null,
  zoneId: null,
  requestBudget: null,
} as const;
const usual = { ...nothing, bound: false, readOnly: false, locked: false, fault: null };
const profiles = [
  { ...usual, name: 'sandbox', chosen: false, builtIn: true, apiBaseUrl: null },
  { ...usual, name: 'acme', chosen: true, builtIn: false, apiBaseUrl: 'https://api.acme.test/client/v4' },
];
const account = { id: 'a'.repeat(32), name: 'Acme' };
const zone = { id: 'b'.repeat(32), name: 'acme.com' };
const state: SessionChoices = {
  profiles,
  accounts: { accounts: [account], present: account.id },
  zones: { zones: [zone], more: false, present: undefined },
};

function listChoices(present: Parameters<typeof sessionEntries>[1]) {
  return sessionEntries(state, present).map(({ group, where, opens }) => [group, where, opens.choice]);
}

test('lists profiles, accounts and zones, marks the active entries, and shows the account of each other profile', () => {
  const choice = { target: 'preview', accountId: account.id } as const;
  expect(listChoices({ name: 'sandbox', first: 'sandbox', choice })).toEqual([
    ['Profiles', undefined, { target: 'preview' }],
    ['Profiles', undefined, { target: 'preview', profile: 'acme' }],
    ['Accounts', 'you are here', { target: 'preview', profile: undefined, accountId: account.id }],
    ['Zones', undefined, { ...choice, zoneId: zone.id }],
  ]);
  expect(
    listChoices({ name: 'acme', first: 'sandbox', choice: { target: 'production', profile: 'acme' } }),
  ).toEqual([
    ['Profiles', undefined, { target: 'production' }],
    ['Profiles', 'you are here', { target: 'production', profile: 'acme' }],
    ['Accounts', 'you are here', { target: 'production', profile: 'acme', accountId: account.id }],
    ['Zones', undefined, { target: 'production', profile: 'acme', zoneId: zone.id }],
  ]);
});

test('lists the production target of each profile for local data, and the credentials of the environment for a profile', () => {
  const local = { name: 'local', first: 'local', choice: { target: 'local' } } as const;
  expect(sessionEntries({ profiles }, local).map(({ opens }) => opens.choice)).toEqual([
    { target: 'production', profile: 'sandbox' },
    { target: 'production', profile: 'acme' },
  ]);
  const acme = {
    name: 'acme',
    first: 'environment',
    choice: { target: 'production', profile: 'acme' },
  } as const;
  expect(sessionEntries({ profiles }, acme)[0]).toMatchObject({
    name: 'environment',
    about: 'the credentials with which the console was opened',
    opens: { choice: { target: 'production' } },
  });
});

test('reports which profiles and accounts could not be read', () => {
  expect(readFailures({ profiles, accounts: 'No accounts: 403.' })).toEqual(['No accounts: 403.']);
});

test('runs a task with the profile that was selected when the task started', async () => {
  const { list, session } = await openTasks();
  const { where } = session;
  const label = {
    target: 'production',
    where,
    can: session.can,
    accountLabel: 'sandbox',
    readOnly: false,
    locked: false,
  } as const;
  const opened: unknown[] = [];
  const tasks = createConsoleTasks(
    list,
    { label, choice: { profile: 'acme', accountId: account.id } },
    async (choice) => {
      opened.push(choice);
      return session;
    },
  );
  const work = { does: 'delete-keys', namespace: { id: 'c'.repeat(32), title: 'x' } } as const;
  const task = await tasks.start(work, []);
  expect(task).toMatchObject({ actor: { profile: 'acme', accountId: account.id }, profileName: 'sandbox' });
  await tasks.visit({ target: 'local' }, async () => undefined);
  await tasks.visit({ profile: 'other' }, async () => undefined);
  expect(opened).toEqual([{ target: 'local', profile: 'acme', accountId: account.id }, { profile: 'other' }]);
});
