import type { CommandRow } from '../command.ts';

/** Every command: its words, what it does to the platform, whether it asks, and what it needs. */
export const commandTable: readonly CommandRow[] = [
  {
    words: 'kv namespace create',
    about: 'Create a key-value namespace',
    effect: 'write',
    needs: 'account',
    load: async () => (await import('./kv-namespace.ts')).createCommand,
  },
  {
    words: 'kv namespace list',
    about: 'List all namespaces of the account',
    effect: 'read',
    needs: 'account',
    load: async () => (await import('./kv-namespace.ts')).listCommand,
  },
  {
    words: 'kv namespace rename',
    about: 'Give a namespace another title',
    effect: 'write',
    needs: 'account',
    load: async () => (await import('./kv-namespace.ts')).renameCommand,
  },
  {
    words: 'kv namespace delete',
    about: 'Delete a namespace and all its keys',
    effect: 'destroy',
    asks: true,
    needs: 'account',
    load: async () => (await import('./kv-namespace.ts')).deleteCommand,
  },
  {
    words: 'kv key put',
    about: 'Write a value to a key',
    effect: 'write',
    needs: 'account',
    load: async () => (await import('./kv-key.ts')).putCommand,
  },
  {
    words: 'kv key list',
    about: 'List keys, as a JSON array',
    effect: 'read',
    needs: 'account',
    load: async () => (await import('./kv-key.ts')).listCommand,
  },
  {
    words: 'kv key get',
    about: 'Print the value of a key',
    effect: 'read',
    needs: 'account',
    load: async () => (await import('./kv-key.ts')).getCommand,
  },
  {
    words: 'kv key delete',
    about: 'Delete a key',
    effect: 'destroy',
    needs: 'account',
    load: async () => (await import('./kv-key.ts')).deleteCommand,
  },
  {
    words: 'kv bulk put',
    about: 'Write many keys from a file',
    effect: 'write',
    needs: 'account',
    load: async () => (await import('./kv-bulk.ts')).putCommand,
  },
  {
    words: 'kv bulk get',
    about: 'Print the values of many keys',
    effect: 'read',
    needs: 'account',
    load: async () => (await import('./kv-bulk.ts')).getCommand,
  },
  {
    words: 'kv bulk delete',
    about: 'Delete many keys named in a file',
    effect: 'destroy',
    asks: true,
    needs: 'account',
    load: async () => (await import('./kv-bulk.ts')).deleteCommand,
  },
];
