import type { Mode } from '../../components/kit/keys/modes.ts';
import { commandTable } from '../../src/cli/commands/table.ts';

/** The actions of the console that do what a command does, each as `mode action`. */
type Place = readonly `${Mode} ${string}`[];

export const inConsole: Readonly<Record<string, Place>> = {
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
  // The preview next to the list shows the bucket.
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
  // The live refresh updates the list of hostnames and the lines above the list.
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
  'guard held': ['global held'],
  'guard approve': ['held approve', 'held approve-same'],
  'guard refuse': ['held refuse'],
  'audit list': ['global audit'],
  'audit show': ['audit open'],
  'audit follow': ['global audit'],
  'undo list': ['global undo'],
  'undo show': ['global undo', 'global preview'],
  'undo restore': ['undo restore'],
  'undo purge': ['undo remove-done'],
};

const thisMachine = 'acts on code and servers on this machine; the console shows what was deployed';
const programs = 'its output is for a shell, a pager or a program';
const files = 'reads or writes a file that is kept with the code, so scripts run the command';
const sandboxes = 'controls a sandbox from outside, for tests';
const audits = 'checks scripts, agents and consoles from outside, even if none is running';
const setup = 'sets up credentials, which no screen should show';

/** Reasons why a command has no counterpart in the console. If the console gets a counterpart, move the command to the table above. */
const reasons: Readonly<Record<string, string>> = {
  console: 'opens the console',
  demo: 'opens the console on demo data',
  'secret bulk': files,
  deploy: thisMachine,
  dev: thisMachine,
  init: thisMachine,
  'hostname export-world': files,
  'hostname import-world': sandboxes,
  'profile add': setup,
  'profile login': setup,
  'profile bind': setup,
  'profile unbind': setup,
  'profile lock': setup,
  'profile unlock': setup,
  'profile remove': setup,
  'guard exec': 'runs other programs',
  'guard start': 'serves other programs even while the console is closed',
  'policy show': audits,
  'policy test': audits,
  'audit verify': audits,
  'audit export': audits,
  completion: programs,
  man: programs,
  licenses: programs,
};

/** Reasons that apply to all commands in a group, by the words that these commands start with. */
const groups: Readonly<Record<string, string>> = { 'sandbox ': sandboxes };

/** Returns why a command has no counterpart in the console; undefined if the command has a counterpart, or is unknown. */
export function reasonWithoutConsole(words: string): string | undefined {
  const group = Object.keys(groups).find((start) => words.startsWith(start));
  return reasons[words] ?? (group && groups[group]);
}

/** The commands for which `reasons` contains a separate reason. */
export const namedReasons: readonly string[] = Object.keys(reasons);

/** All commands, by their words. */
export const commands: readonly string[] = commandTable.map(({ words }) => words);
