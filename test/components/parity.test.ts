import { expect, test } from 'vitest';
import { keymap } from '../../components/app/keymap.ts';
import type { Mode } from '../../components/kit/keys/modes.ts';
import type { Shortcut } from '../../components/kit/keys/shortcut.ts';
import { commandTable } from '../../src/cli/commands/table.ts';

/** The actions of the console that do what a command does, each as `mode action`. */
type Place = readonly `${Mode} ${string}`[];

const inConsole: Readonly<Record<string, Place>> = {
  'kv namespace create': ['namespaces create'],
  'kv namespace list': ['nouns namespaces'],
  'kv namespace rename': ['namespaces rename'],
  'kv namespace delete': ['namespaces remove'],
  'kv namespace clear': ['namespaces clear-keys'],
  'kv key put': ['keys create', 'value edit', 'value edit-outside', 'value expire'],
  'kv key list': ['namespaces open', 'keys ask', 'keys filter'],
  'kv key get': ['keys open'],
  'kv key delete': ['keys remove', 'value remove'],
  'kv diff': ['namespaces compare', 'differences open', 'differences status'],
  'kv key diff': ['keys compare', 'value compare'],
  'kv bulk put': ['namespaces import', 'keys import'],
  'kv bulk get': ['keys mark', 'keys export'],
  'kv bulk delete': ['keys mark', 'keys remove'],
  'kv export': ['namespaces export'],
  'kv copy': ['keys mark', 'keys copy-keys'],
  'secret put': ['worker create', 'worker edit'],
  'secret list': ['workers open'],
  'secret delete': ['worker remove'],
  'objstore bucket create': ['buckets create'],
  'objstore bucket list': ['nouns buckets'],
  // Shown next to the list.
  'objstore bucket get': ['nouns buckets', 'global preview'],
  'objstore bucket delete': ['buckets remove'],
  'objstore object put': ['objects upload'],
  'objstore object get': ['objects download', 'preview download'],
  'objstore object list': ['buckets open', 'objects ask'],
  'objstore object copy': ['objects copy-object'],
  'objstore object delete': ['objects remove'],
  'objstore object presign': ['objects link', 'preview link'],
  'objstore object sync': ['objects sync', 'sync sync'],
  'hostname list': ['nouns hostnames', 'hostnames status', 'hostnames ask'],
  'hostname get': ['hostnames open'],
  'hostname create': ['hostnames create'],
  'hostname refresh': ['hostnames revalidate'],
  'hostname delete': ['hostnames remove'],
  // The lines above and in a list of hostnames are refreshed automatically.
  'hostname watch': ['global live'],
  'hostname quota': ['nouns hostnames'],
  'hostname diagnose': ['hostnames diagnose', 'diagnosis fix'],
  'hostname instructions': ['hostname instructions'],
  'hostname edit': ['hostnames edit', 'hostnames authority'],
  'hostname forecast': ['hostnames timeline'],
  'hostname export': ['hostnames export'],
  'hostname reconcile': ['hostnames import'],
  'hostname fallback-origin get': ['hostnames zone-settings'],
  'hostname fallback-origin set': ['hostnames zone-settings'],
  'hostname fallback-origin delete': ['hostnames zone-settings'],
  'zone hold get': ['hostnames zone-settings'],
  'zone hold set': ['hostnames zone-settings'],
  'zone hold release': ['hostnames zone-settings'],
  'worker list': ['nouns workers'],
  'worker get': ['workers open'],
  'worker deployments': ['workers open'],
  'worker rollback': ['worker roll-back'],
  'worker delete': ['workers remove'],
  'worker tail': ['workers logs'],
  'zone list': ['hostnames zone', 'global acting'],
  'zone record list': ['hostnames records', 'records filter', 'records status'],
  'zone record set': ['records create', 'records edit', 'records proxied'],
  'zone record delete': ['records remove'],
  'profile list': ['global acting'],
  'profile use': ['global acting'],
  whoami: ['global acting'],
  doctor: ['global doctor'],
  'setting list': ['global settings'],
  'setting get': ['global settings'],
  'setting set': ['settings open', 'settings edit'],
  'setting unset': ['settings remove'],
  'undo list': ['global undo'],
  'undo show': ['global undo', 'global preview'],
  'undo restore': ['undo restore'],
  'undo purge': ['undo remove-done'],
};

const ofThisMachine =
  'is about code and a server on this machine, of which the console shows what they have made';
const ofPrograms = 'is for scripts and programs, which read a stream of lines';
const ofFiles = 'uses a file that is in the repository: a script does it the same way each time';
const ofSandboxes = 'prepares tests: it changes the simulated platform of a sandbox';
const ofSetup = 'is done once, and asks for a credential that no screen should show';

/** Why a command has no counterpart in the console. If it gets one, it moves up. */
const notInConsole: Readonly<Record<string, string>> = {
  console: 'is the console',
  demo: 'is the console, on made-up data',
  'secret bulk': ofFiles,
  deploy: ofThisMachine,
  dev: ofThisMachine,
  init: ofThisMachine,
  'hostname export-world': ofFiles,
  'hostname import-world': ofSandboxes,
  'profile add': ofSetup,
  'profile login': ofSetup,
  'profile bind': ofSetup,
  'profile unbind': ofSetup,
  'profile remove': ofSetup,
  completion: ofPrograms,
  man: ofPrograms,
  licenses: ofPrograms,
};

/** Commands of a group with the same reason. */
const groups: Readonly<Record<string, string>> = { 'sandbox ': ofSandboxes };

function isInGroup(words: string): boolean {
  return Object.keys(groups).some((group) => words.startsWith(group));
}

test('every command can be done in the console, or has a reason why not', () => {
  const commands = commandTable.map(({ words }) => words).filter((words) => !isInGroup(words));
  const known = [...Object.keys(inConsole), ...Object.keys(notInConsole)];
  expect(new Set(known).size, 'no command is on both lists').toBe(known.length);
  expect(
    commands.filter((words) => !known.includes(words)),
    'each new command says where it is',
  ).toEqual([]);
  expect(
    known.filter((words) => !commands.includes(words)),
    'no row outlives its command',
  ).toEqual([]);
  expect(Object.values(notInConsole).every((reason) => reason.length > 10)).toBe(true);
});

test('the actions that correspond to commands are in the keymap', () => {
  const actions = Object.entries<ReadonlyArray<Shortcut<string>>>({ ...keymap }).flatMap(([mode, rows]) =>
    rows.map(({ does }) => `${mode} ${does}`),
  );
  const named = Object.values(inConsole).flat();
  expect(named.filter((place) => !actions.includes(place))).toEqual([]);
});
