import { type AuditActor, type RequestRecord, toAuditRecord } from '../../model/guard/audit.ts';
import type { World } from '../../world.ts';
import { type AuditLog, describeActor, openAuditLog } from './audit-log.ts';
import type { Recorder } from './door.ts';
import { isApproved } from './save-first.ts';

/**
 * Limits for the records of requests that a guard refuses. Further refused requests are counted, and recorded together when the period
 * ends. Without limits, a program could displace all older records of writes within minutes. The request budget delays writes, but not
 * refusals.
 */
export const refusalLimits = { records: 200, periodMs: 5 * 60_000 };

/** Records the writes of a guard's clients, and every refused request, in the audit log. */
export function openRecorder(
  world: World,
  session: Pick<AuditActor, 'command' | 'place' | 'url'>,
): Recorder & { close(): Promise<void> } {
  const log = openAuditLog(world);
  const actor = describeActor(world, session);
  const refusals = new Refusals(log, world);
  return {
    async record(request, decided, verdict) {
      if (request.effect === 'read' && decided.decision === 'allow') return async () => undefined;
      const record = toAuditRecord(request, decided, actor, verdict);
      const isRefused = !isApproved({ decided, verdict });
      // Refusals by a person are always recorded individually: they are rare, and the log must show who refused what.
      const isAnswered = verdict !== undefined && 'refusal' in verdict && verdict.refusal === 'refused';
      if (isRefused && !isAnswered) {
        await refusals.record(record);
        return async () => undefined;
      }
      const number = await log.append(record);
      return async ({ status, requestId }) => {
        const outcome = {
          ...(status !== undefined && { status }),
          ...(requestId !== undefined && { requestId }),
        };
        // The answer has already been sent: if this record cannot be written, the log has no outcome for the request.
        await log.append({ kind: 'outcome', of: number, ...outcome }).catch(() => undefined);
      };
    },
    async close() {
      await refusals.close();
      await log.flush();
    },
  };
}

/** The recorder of refused requests. Records the first refusals of each period separately, and counts all others in a single record. */
class Refusals {
  readonly #log: AuditLog;
  readonly #world: Pick<World, 'now' | 'sleep'>;
  readonly #closed = new AbortController();
  #recorded = 0;
  #periodEnd = Number.NEGATIVE_INFINITY;
  #last: RequestRecord | undefined;
  #counted = 0;

  constructor(log: AuditLog, world: Pick<World, 'now' | 'sleep'>) {
    this.#log = log;
    this.#world = world;
  }

  async record(record: RequestRecord): Promise<void> {
    const now = this.#world.now();
    if (now >= this.#periodEnd) {
      this.#periodEnd = now + refusalLimits.periodMs;
      this.#recorded = 0;
      await this.#recordCounted();
    }
    if (this.#recorded < refusalLimits.records) {
      this.#recorded += 1;
      await this.#log.append(record);
      return;
    }
    this.#last = record;
    this.#counted += 1;
    if (this.#counted === 1) this.#recordLater(this.#periodEnd - now);
  }

  /** Records the counted requests before the log is closed. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#recordCounted();
  }

  #recordLater(milliseconds: number): void {
    this.#world.sleep(milliseconds, this.#closed.signal).then(
      () => this.#recordCounted(),
      () => undefined,
    );
  }

  async #recordCounted(): Promise<void> {
    const record = this.#last;
    const refusals = this.#counted;
    if (record === undefined) return;
    this.#last = undefined;
    this.#counted = 0;
    try {
      await this.#log.append({ ...record, refusals });
    } catch {
      // Counts the requests again, because the disk may be full only temporarily.
      this.#last ??= record;
      this.#counted += refusals;
    }
  }
}
