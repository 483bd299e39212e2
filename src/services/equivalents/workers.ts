import { listSecrets, removeSecret } from '../workers/secrets.ts';
import type { CliEquivalent } from './cli-equivalent.ts';

export function secretList(worker: string): CliEquivalent {
  return {
    about: 'List the secrets',
    words: 'secret list',
    flags: { name: worker },
    accountOnly: true,
    place: 'last',
    send: (session) => listSecrets(session, worker),
  };
}

/** Returns a command without the secret's value, and without a request, because a shell would save the value in its history. */
export function secretPut(worker: string, secret: string): CliEquivalent {
  return {
    about: 'Set the secret',
    words: 'secret put',
    flags: { name: worker },
    args: [secret],
    accountOnly: true,
  };
}

export function secretDelete(worker: string, secret: string): CliEquivalent {
  return {
    about: 'Delete the secret',
    words: 'secret delete',
    flags: { name: worker },
    args: [secret],
    accountOnly: true,
    send: (session) => removeSecret(session, worker, secret),
  };
}

export function workerTail(worker: string): CliEquivalent {
  return { about: 'Follow the log', words: 'worker tail', args: [worker], accountOnly: true };
}
