import type { Problem } from '../../src/model/problem.ts';
import { listAccounts } from '../../src/services/session/account.ts';
import { listProfiles } from '../../src/services/session/profiles.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { Controller } from '../kit/controller.ts';
import type { ConsoleParts } from '../kit/use-console.ts';
import type { SessionChoices } from './session-entries.ts';

type SessionFinderParts = Pick<ConsoleParts, 'services' | 'tasks' | 'notes' | 'world'>;

/**
 * Reads the profiles, accounts and zones that the user can choose. Profiles are read from this machine; accounts and zones are added when
 * the platform responds.
 */
export class SessionFinderController extends Controller<SessionChoices, SessionChoices> {
  readonly #parts: SessionFinderParts;
  readonly #of: SessionChoice | undefined;

  /** If `of` is set, reads only the accounts, because `of` is a choice without an account. */
  constructor(parts: SessionFinderParts, of: SessionChoice | undefined) {
    super((before, more) => ({ ...before, ...more }), {}, parts.notes);
    this.#parts = parts;
    this.#of = of;
  }

  protected override begin(): void {
    const { services, tasks, world } = this.#parts;
    const of = this.#of;
    const { access } = services;
    if (of !== undefined) {
      this.#read('accounts', async (signal) => ({
        accounts: await tasks.visit(of, (session) => listAccounts(stoppable(session, signal).send)),
      }));
      return;
    }
    this.#read('profiles', () => listProfiles(world));
    if (access === undefined) return;
    this.#read('accounts', (signal) => access.accounts(signal));
    this.#read('zones', (signal) => access.zones(signal));
  }

  #read<Part extends keyof SessionChoices>(
    part: Part,
    read: (signal: AbortSignal) => Promise<SessionChoices[Part]>,
  ): void {
    this.run({
      name: part,
      work: read,
      done: (found) => this.dispatch({ [part]: found }),
      failed: ({ message }: Problem) => this.dispatch({ [part]: `No ${part}: ${message}` }),
    });
  }
}
