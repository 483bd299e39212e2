import { Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import type { LockedAuth } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';

/** Asks the user for a secret on the terminal, without echo. Returns undefined if there is no terminal. */
export type AskSecret = (question: string) => Promise<string | undefined>;

/** The lock of a profile whose credentials for writing are sealed with a passphrase. */
export interface SessionLock {
  readonly profile: string;
  /** Returns the credentials, if the user has typed the passphrase in this process; undefined after `forget`. */
  auth(): Auth | undefined;
  /** Returns the credentials. Asks for the passphrase if necessary. Throws not-signed-in if no correct passphrase is typed. */
  unlock(): Promise<Auth>;
  /** Returns whether the passphrase is correct. Does not unlock the profile. */
  check(passphrase: string): Promise<boolean>;
  /** Discards the credentials, so that the next write requires the passphrase again. */
  forget(): void;
}

/** Maximum number of attempts to type the passphrase. */
const maxAttempts = 3;

/** Unlocked credentials of this process, by the user's folders and the profile name. */
const opened = new WeakMap<World['folders'], Map<string, Auth>>();

/** Returns the lock of a profile. `url` is the base URL that would receive the credentials, and is shown in the question. */
export function openLock(
  { folders }: Pick<World, 'folders'>,
  { profile, sealed, place }: LockedAuth,
  url: string,
  ask: AskSecret | undefined,
): SessionLock {
  const known = opened.get(folders) ?? new Map<string, Auth>();
  opened.set(folders, known);
  const name = JSON.stringify([place, sealed.data]);
  const open = async (passphrase: string) => {
    const { unseal } = await import('../../profiles/sealed.ts');
    return unseal(sealed, passphrase, place);
  };
  return {
    profile,
    auth: () => known.get(name),
    async unlock() {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const found = known.get(name);
        if (found !== undefined) return found;
        const again = attempt === 1 ? '' : "Wrong passphrase, or the profile's file was changed. ";
        const typed = await ask?.(`${again}Passphrase of profile ${profile}, to act on ${url}: `);
        // Enter without input cancels.
        if (typed === undefined || typed === '') throw lockedProblem(profile);
        const auth = await open(typed);
        if (auth !== undefined) known.set(name, auth);
        if (auth !== undefined) return auth;
      }
      throw wrongPassphraseProblem(profile);
    },
    check: async (passphrase) => (await open(passphrase)) !== undefined,
    forget: () => void known.delete(name),
  };
}

/** Asks an approver for the passphrase of a guard's profile. Returns undefined if the approver typed nothing. */
export async function askToApprove(
  ask: AskSecret,
  profile: string,
  number: string,
): Promise<string | undefined> {
  const typed = await ask(`Passphrase of profile ${profile}, to approve request ${number}: `);
  return typed === '' ? undefined : typed;
}

/** Returns the Problem for a call with a locked profile whose passphrase was not typed. */
function lockedProblem(profile: string): Problem {
  return new Problem(
    'not-signed-in',
    `Profile "${profile}" is locked, and edgectl cannot ask for its passphrase without a terminal.`,
    {
      hint: 'Run the command on a terminal, where edgectl asks for the passphrase. Or start a guard on a terminal, and run the command as its client. The console asks when it starts.',
    },
  );
}

export function wrongPassphraseProblem(profile: string): Problem {
  return new Problem(
    'not-signed-in',
    `Wrong passphrase for profile "${profile}", or its file was changed; nothing was sent.`,
    {
      hint: 'If the address or the credentials in the file were changed, no passphrase unlocks the profile: do not type other passphrases. Add the profile again, with a new token.',
    },
  );
}
