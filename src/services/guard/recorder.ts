import { type AuditActor, toAuditRecord } from '../../model/guard/audit.ts';
import type { World } from '../../world.ts';
import { describeActor, openAuditLog } from './audit-log.ts';
import type { Recorder } from './door.ts';

/** Records the writes of a guard's clients, and every refused request, in the audit log. */
export function openRecorder(
  world: World,
  session: Pick<AuditActor, 'command' | 'place' | 'url'>,
): Recorder & { close(): Promise<void> } {
  const log = openAuditLog(world);
  const actor = describeActor(world, session);
  return {
    async record(request, decided, verdict) {
      if (request.effect === 'read' && decided.decision === 'allow') return async () => undefined;
      const number = await log.append(toAuditRecord(request, decided, actor, verdict));
      return async ({ status, requestId }) => {
        const outcome = {
          ...(status !== undefined && { status }),
          ...(requestId !== undefined && { requestId }),
        };
        // The answer has already been sent: if this record cannot be written, the log has no outcome for the request.
        await log.append({ kind: 'outcome', of: number, ...outcome }).catch(() => undefined);
      };
    },
    close: () => log.flush(),
  };
}
