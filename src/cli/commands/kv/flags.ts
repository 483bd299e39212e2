import type { Flags, Surplus } from '../../parsing/declaration.ts';

/** The flag of a namespace that was typed as an argument: a text that cannot be a binding is a title. */
export function namespaceSurplus(side: '' | 'to-'): Surplus {
  const flagOf = (text: string) => `${side}${/^[A-Za-z_$][\w$]*$/.test(text) ? 'binding' : 'namespace'}`;
  return {
    names: ['binding', 'namespace', 'namespace-id'].map((name) => `${side}${name}`),
    flags: (text) => [`--${flagOf(text)}`, text],
  };
}

/** Flags of every command that sends a bulk file. */
export const runFlags = {
  resume: { kind: 'boolean', about: 'Go on where an interrupted run of the same input stopped' },
  'skip-invalid': { kind: 'boolean', about: 'Leave wrong entries out instead of refusing the file' },
  'batch-size': { kind: 'number', placeholder: 'COUNT', about: 'Entries a request, at most 10,000' },
  'dry-run': { kind: 'boolean', about: 'Say what would become of the keys, and change nothing' },
  verbose: { kind: 'boolean', about: 'With --dry-run: say it of each key' },
} as const satisfies Flags;

/** The second namespace of a command, where it is, and as whom: exactly one of the first three. */
export const destinationFlags = {
  'to-binding': { kind: 'text', placeholder: 'NAME', about: 'Binding of the other namespace' },
  'to-namespace-id': {
    kind: 'id',
    of: 'namespace',
    folderWith: 'to-local',
    placeholder: 'ID',
    about: 'Identifier of the other namespace',
  },
  'to-namespace': {
    kind: 'text',
    placeholder: 'TITLE|ID',
    about: 'Title of the other namespace, or its identifier',
    completes: 'title',
  },
  'to-preview': { kind: 'boolean', about: 'Use the preview namespace of --to-binding' },
  'to-local': { kind: 'boolean', about: 'The other one is locally persisted data' },
  'to-persist-to': { kind: 'path', placeholder: 'DIR', about: 'Folder of that local data (with --to-local)' },
  'to-env': { kind: 'text', placeholder: 'NAME', about: 'Environment of --to-binding; --env when left out' },
  'to-profile': {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Profile of the other one; the same when left out',
  },
  'to-account-id': {
    kind: 'id',
    of: 'account',
    placeholder: 'ID',
    about: 'Account of the other one',
  },
} as const satisfies Flags;
