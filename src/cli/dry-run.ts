import type { AttributeDifference } from '../model/hostnames/fleet/differences.ts';
import type { Session } from '../services/session/session.ts';
import { groupDigits } from '../text/size.ts';
import type { Call } from '../v4/send.ts';
import { changesSomething } from '../v4/unknown-outcome.ts';
import type { Ask } from './ask.ts';
import { describeHash } from './confirmed-deletion.ts';
import type { Output } from './output/output.ts';

/** A change that a dry run found but did not make. */
export interface PlannedChange {
  /** The request method, or a verb. */
  readonly does: string;
  /** The request path, or a name. */
  readonly what: string;
  /** Size of the request's body in bytes. */
  readonly bytes?: number;
  /** The body, if it is JSON without secrets. */
  readonly body?: unknown;
  /** Differences from the current state, if the current state was read. */
  readonly differences?: readonly AttributeDifference[];
}

/** The dry run of a command: a session that records changes instead of making them, and the questions that would be asked. */
export class DryRun {
  #changes: readonly PlannedChange[] | undefined;
  #target: string | undefined;
  #hash: string | undefined;
  readonly #lost: string[] = [];

  /** Ends the command, and records the changes that it would make. `hash` confirms exactly these changes. */
  end(target: string, changes: readonly PlannedChange[], hash?: string): never {
    this.#changes ??= changes;
    this.#target ??= target;
    this.#hash ??= hash;
    throw new DryRunEnd();
  }

  /** Answers every question, and records what would be lost. */
  ask(): Ask {
    const note = async (_: string, lost: string) => void this.#lost.push(lost);
    return { isAnswered: false, confirm: note, confirmTyped: note };
  }

  /** Wraps the session so that the first request that would change data ends the command. */
  wrapSession(session: Session): Session {
    return {
      ...session,
      send: async (call) => {
        if (!changesSomething(call)) return session.send(call);
        const { findDifferences } = await import('./dry-run-differences.ts');
        const differences = await findDifferences(session.send, call);
        return this.end(session.label, [{ ...toPlannedChange(call), ...(differences && { differences }) }]);
      },
    };
  }

  /** Whether the dry run has ended the command, even if a caller caught the exception. */
  get hasEnded(): boolean {
    return this.#changes !== undefined;
  }

  async answer(output: Output, command: string): Promise<void> {
    const [changes = [], lost] = [this.#changes, this.#lost];
    const target = this.#target === undefined ? {} : { target: this.#target };
    if (output.json) {
      await output.answerJson({
        dryRun: true,
        command,
        ...target,
        asks: lost,
        changes,
        ...(this.#hash !== undefined && { hash: this.#hash }),
      });
      return;
    }
    const where = this.#target === undefined ? '' : ` on ${this.#target}`;
    await output.line(`Dry run${where}: nothing was changed.`);
    for (const one of lost)
      for (const line of `Would first ask: ${one}`.trimEnd().split('\n')) await output.line(line);
    for (const { does, what, bytes, differences = [] } of changes) {
      await output.line(
        `Would ${does} ${what}${bytes === undefined ? '' : ` (${groupDigits(bytes)} byte${bytes === 1 ? '' : 's'})`}.`,
      );
      for (const one of differences) await output.line(`  ${formatDifference(one)}`);
    }
    if (changes.length === 0) await output.line('Nothing would be changed.');
    if (this.#hash !== undefined) await output.line(describeHash(this.#hash));
  }
}

class DryRunEnd extends Error {
  override name = 'DryRunEnd';
}

function formatDifference({ field, from = 'none', to }: AttributeDifference): string {
  return to === undefined ? `${field}: ${from}` : `${field}: ${from} -> ${to}`;
}

function toPlannedChange({ method, path, headers, body }: Call): PlannedChange {
  const length = body instanceof Uint8Array ? body.length : Number(headers['content-length']);
  const bytes = Number.isSafeInteger(length) && length >= 0 ? { bytes: length } : {};
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const isShown = isJson && body instanceof Uint8Array && !path.includes('/secrets');
  return {
    does: method,
    what: path,
    ...bytes,
    ...(isShown && { body: JSON.parse(Buffer.from(body).toString('utf8')) }),
  };
}
