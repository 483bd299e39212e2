import { Problem } from '../../model/problem.ts';
import { settingTable } from '../../model/settings.ts';
import { sandboxProfile } from '../../profiles/profile.ts';
import { type Choice, plainChoice } from '../../services/session/session.ts';
import type { Flags, FlagValues } from './declaration.ts';

/** Flags that every command accepts, before or after the words of its name. */
export const globalFlags = {
  help: { kind: 'boolean', short: 'h', about: 'Show help' },
  version: { kind: 'boolean', short: 'v', about: 'Show the version number' },
  config: {
    kind: 'path',
    short: 'c',
    placeholder: 'PATH',
    about: 'Path to the configuration file (.toml, .json, .jsonc)',
  },
  'experimental-json-config': {
    kind: 'boolean',
    short: 'j',
    about: 'Read edgectl.json (JSON with comments) instead of edgectl.toml',
  },
  env: {
    kind: 'text',
    short: 'e',
    placeholder: 'NAME',
    about: 'Act on a named environment of the configuration',
  },
  profile: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Use this profile instead of the active one',
    completes: 'profile',
  },
  sandbox: {
    kind: 'switch',
    placeholder: 'DIR',
    about: 'Use the embedded platform (=DIR: with its data in that folder); same as --profile sandbox',
  },
  'account-id': { kind: 'id', of: 'account', placeholder: 'ID', about: 'Account to act on' },
  'zone-id': { kind: 'id', of: 'zone', placeholder: 'ID', about: 'Zone to act on' },
  'api-base-url': {
    kind: 'text',
    placeholder: 'URL',
    about: 'Base URL of the platform, ending in /client/v4',
  },
  json: {
    kind: 'boolean',
    about: 'Print one JSON value, or one per line; errors and notes go to stderr as JSON lines',
  },
  yes: { kind: 'boolean', short: 'y', about: 'Answer yes to every confirmation' },
  'read-only': { kind: 'boolean', about: 'Refuse every request that changes data' },
  quiet: { kind: 'boolean', short: 'q', about: 'Print no progress or notes on stderr' },
  'no-color': { kind: 'boolean', about: 'Disable colors' },
  debug: { kind: 'boolean', about: 'Print each request on stderr, without credentials' },
} as const satisfies Flags;

export type GlobalFlags = FlagValues<typeof globalFlags>;

/** Formats a flag with its value for a command line. */
export function formatFlag({ name, value }: { name: string; value: string | undefined }): readonly string[] {
  if (value === undefined) return [`--${name}`];
  const isJoined = name === 'sandbox' || value.startsWith('-');
  return isJoined ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** Returns the folder given with `--sandbox=DIR`, if any. */
export function sandboxFolderFlag({ sandbox }: GlobalFlags): string | undefined {
  return typeof sandbox === 'string' ? sandbox : undefined;
}

/** Returns the profile given with `--profile`, if any. `--sandbox` selects the profile "sandbox". */
function profileFlag({ sandbox, profile }: GlobalFlags): string | undefined {
  if (profile === '') throw new Problem('usage', '--profile needs the name of a profile.');
  if (sandbox === false) return profile;
  if (profile === undefined || profile === sandboxProfile) return sandboxProfile;
  throw new Problem('usage', `--sandbox and --profile ${profile} cannot be used together.`);
}

/** Returns the session settings that the global flags choose: platform, account, credentials and configuration. */
export function toChoice(flags: GlobalFlags): Choice {
  return {
    ...plainChoice,
    profile: profileFlag(flags),
    sandboxDir: sandboxFolderFlag(flags),
    accountId: flags['account-id'],
    zoneId: flags['zone-id'],
    apiBaseUrl: flags['api-base-url'],
    configPath: flags.config,
    jsonConfig: flags['experimental-json-config'],
    environment: flags.env,
    readOnly: flags['read-only'],
  };
}

/** Flags that select local data. */
export const localFlags = {
  local: { kind: 'boolean', about: 'Use local data, without an account' },
  'persist-to': { kind: 'path', placeholder: 'DIR', about: 'Folder of the local data (with --local)' },
} as const satisfies Flags;

/** Display flags of commands that open the console. */
export const displayFlags = {
  theme: {
    kind: 'text',
    placeholder: 'NAME',
    about: `Colors of the console: ${settingTable.theme.values.join(', ')}`,
    completes: settingTable.theme.values,
  },
  mouse: { kind: 'boolean', about: 'Enable the mouse: clicks, the wheel, and dragging the divider' },
  'screen-reader': {
    kind: 'boolean',
    about: 'Print changes as lines, for a screen reader, instead of redrawing the screen',
  },
} as const satisfies Flags;

/** Flags that choose the namespace to act on: exactly one of the first three is required. */
export const namespaceFlags = {
  binding: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Binding of the namespace in the configuration file',
    completes: 'binding',
  },
  'namespace-id': {
    kind: 'id',
    of: 'namespace',
    folderWith: 'local',
    placeholder: 'ID',
    about: 'Id of the namespace',
    completes: 'namespace',
  },
  namespace: {
    kind: 'text',
    placeholder: 'TITLE|ID',
    about: 'Title or id of the namespace',
    completes: 'title',
  },
  preview: { kind: 'boolean', about: 'Use the preview namespace (preview_id) instead of production' },
} as const satisfies Flags;

/** Flags that commands without local data reject with a hint. */
export const unsupportedLocalFlags = {
  local: { ...localFlags.local, hidden: true },
  'persist-to': { ...localFlags['persist-to'], hidden: true },
} as const satisfies Flags;

/** The flag that chooses a zone by name, as an alternative to the global --zone-id. */
export const zoneFlags = {
  zone: { kind: 'text', placeholder: 'NAME', about: 'Zone to act on, by its name', completes: 'zone' },
} as const satisfies Flags;

/** The flag of commands that write a file. */
export const forceFlag = {
  force: { kind: 'boolean', about: 'Overwrite an existing file' },
} as const satisfies Flags;

export function existingFileMode({ force }: FlagValues<typeof forceFlag>): 'replace' | 'refuse' {
  return force ? 'replace' : 'refuse';
}

/** Output flags of commands that export a namespace or a zone. */
export const exportFlag = {
  output: {
    kind: 'path',
    short: 'o',
    placeholder: 'PATH',
    about: 'Write to this file atomically; compressed if the name ends in .gz; - is standard output',
  },
  ...forceFlag,
} as const satisfies Flags;

/** Flags of commands that save the old state of a single item by default. */
export const undoFlags = {
  undo: {
    kind: 'boolean',
    about: 'Save the old state for edgectl undo, or fail (default: save it if possible)',
  },
  'no-undo': { kind: 'boolean', about: 'Do not save the old state for edgectl undo' },
} as const satisfies Flags;

/** Flags of commands that save the old state only on a terminal or with --undo. */
export const undoOnRequestFlags = {
  undo: { kind: 'boolean', about: 'Save the old value for edgectl undo (default on a terminal)' },
  'no-undo': undoFlags['no-undo'],
} as const satisfies Flags;

/** The flag of every command that changes data and has no separate dry run. */
export const dryRunFlag = {
  'dry-run': { kind: 'boolean', about: 'Show what would change, without changing anything' },
} as const satisfies Flags;
