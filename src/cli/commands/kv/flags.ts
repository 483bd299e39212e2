import type { Flags, Surplus } from '../../parsing/declaration.ts';

/** Returns the flag for a namespace that was typed as an argument. A string that cannot be a binding is used as a title. */
export function namespaceSurplus(side: '' | 'to-'): Surplus {
  const findFlag = (text: string) => `${side}${/^[A-Za-z_$][\w$]*$/.test(text) ? 'binding' : 'namespace'}`;
  return {
    names: ['binding', 'namespace', 'namespace-id'].map((name) => `${side}${name}`),
    flags: (text) => [`--${findFlag(text)}`, text],
  };
}

/** Flags of all commands that send a bulk file. */
export const runFlags = {
  resume: { kind: 'boolean', about: 'Resume an interrupted run with the same input' },
  'skip-invalid': { kind: 'boolean', about: 'Skip invalid entries instead of rejecting the file' },
  'batch-size': {
    kind: 'number',
    placeholder: 'COUNT',
    about: 'Entries per request (default and maximum: 10,000)',
  },
  'dry-run': { kind: 'boolean', about: 'Show what would change, without changing anything' },
  verbose: { kind: 'boolean', about: 'With --dry-run: list each key' },
} as const satisfies Flags;

/** Flags that choose the second namespace, and the account or local data that contains it. Exactly one of the first three is required. */
export const destinationFlags = {
  'to-binding': { kind: 'text', placeholder: 'NAME', about: 'Binding of the other namespace' },
  'to-namespace-id': {
    kind: 'id',
    of: 'namespace',
    folderWith: 'to-local',
    placeholder: 'ID',
    about: 'Id of the other namespace',
  },
  'to-namespace': {
    kind: 'text',
    placeholder: 'TITLE|ID',
    about: 'Title or id of the other namespace',
    completes: 'title',
  },
  'to-preview': { kind: 'boolean', about: 'Use the preview namespace of --to-binding' },
  'to-local': { kind: 'boolean', about: 'Use local data for the other namespace' },
  'to-persist-to': {
    kind: 'path',
    placeholder: 'DIR',
    about: 'Folder of the local data (with --to-local)',
  },
  'to-env': { kind: 'text', placeholder: 'NAME', about: 'Environment of --to-binding (default: --env)' },
  'to-profile': {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Profile for the other namespace (default: the same profile)',
  },
  'to-account-id': {
    kind: 'id',
    of: 'account',
    placeholder: 'ID',
    about: 'Account id of the other namespace (default: the same account, or the account of --to-profile)',
  },
} as const satisfies Flags;
