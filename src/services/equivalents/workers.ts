import { listSecrets, removeSecret } from '../workers/secrets.ts';
import type { Act } from './act.ts';

/** Acts on a worker, and on the secret of a name. */
export function workerActs(worker: string, secret: string | undefined): readonly Act[] {
  const flags = { name: worker };
  const list: Act = {
    about: 'List the secrets',
    words: 'secret list',
    flags,
    accountOnly: true,
    send: (session) => listSecrets(session, worker),
  };
  if (secret === undefined) return [list];
  return [
    // No line with the text of a secret: it would stay in the history of the shell.
    { about: 'Set the secret', words: 'secret put', flags, args: [secret], accountOnly: true },
    {
      about: 'Delete the secret',
      words: 'secret delete',
      flags,
      args: [secret],
      accountOnly: true,
      send: (session) => removeSecret(session, worker, secret),
    },
    list,
  ];
}

/** The act of the live log of a worker. */
export function logActs(worker: string): readonly Act[] {
  return [{ about: 'Follow its log', words: 'worker tail', args: [worker], accountOnly: true }];
}
