import { Problem } from '../../../model/problem.ts';
import type { UndoEntry } from '../../../model/undo/entry.ts';
import type { FallbackOrigin } from '../../../model/zones/zone.ts';
import {
  deleteFallbackOrigin,
  originName,
  readFallbackOrigin,
  setFallbackOrigin,
} from '../../../services/hostnames/fallback-origin.ts';
import { countServedByDefault } from '../../../services/hostnames/served.ts';
import type { Session } from '../../../services/session/session.ts';
import { originFault } from '../../../services/zones/records.ts';
import { describeServed } from '../../../text/hostname.ts';
import { type Context, command } from '../../parsing/command.ts';
import { openUndoRecorder, type UndoFlags } from '../undo/undo-recorder.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

export const getCommand = command<typeof declared.fallbackOriginGet>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const fallback = await readFallbackOrigin(session, zoneId);
    if (fallback === undefined) {
      throw new Problem('not-found', 'The zone has no fallback origin.', {
        hint: 'Set one: edgectl hostname fallback-origin set NAME',
      });
    }
    await context.output.result(formatLine(fallback), fallback);
  },
});

function formatLine({ origin, status, errors }: FallbackOrigin): string {
  const faults = (errors ?? []).length === 0 ? '' : ` (${(errors ?? []).join('; ')})`;
  return `${origin}: ${status ?? 'no status'}${faults}`;
}

export const setCommand = command<typeof declared.fallbackOriginSet>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const origin = originName(args.ORIGIN);
    const keeping = await openUndoRecorder(context, flags, 'by default');
    const isAsked = !context.ask.isAnswered;
    const isRead = isAsked || keeping !== undefined;
    const before = isRead ? await readFallbackOrigin(session, zoneId) : undefined;
    if (isAsked) await confirmMove(context, session, zoneId, { from: before?.origin, to: origin });
    const { result, entry } = await change(session, zoneId, { before, origin, keeps: keeping !== undefined });
    const fields = { ...result, ...(isRead && { before: before ?? null }), ...keeping?.report(entry) };
    await context.output.result(`Set the fallback origin: ${formatLine(result)}.`, fields);
  },
});

interface Change {
  readonly before: FallbackOrigin | undefined;
  readonly origin: string;
  readonly keeps: boolean;
}

async function change(
  session: Session,
  zoneId: string,
  { before, origin, keeps }: Change,
): Promise<{ readonly result: FallbackOrigin; readonly entry: UndoEntry | undefined }> {
  if (!keeps) return { result: await setFallbackOrigin(session, zoneId, origin), entry: undefined };
  const { setFallbackOriginWithUndo } = await import('../../../services/undo/fallback-origins.ts');
  return setFallbackOriginWithUndo(session, zoneId, before, origin);
}

/** Asks for confirmation before requests for custom hostnames are sent to another origin, and warns if that origin cannot receive them. */
async function confirmMove(
  { ask, output }: Context,
  session: Session,
  zoneId: string,
  { from, to }: { readonly from: string | undefined; readonly to: string },
): Promise<void> {
  const fault = await originFault(session, zoneId, to);
  if (fault !== undefined) output.warn(fault);
  if (from === undefined || from === to) return;
  const served = await countServedByDefault(session, zoneId);
  if (served === undefined) return;
  const what = `the requests of ${describeServed(served)}`;
  await ask.confirm(
    `Send ${what} to ${to} instead of ${from} on ${session.label}?`,
    `${to} would receive ${what} instead of ${from}.`,
  );
}

export const deleteCommand = command<typeof declared.fallbackOriginDelete>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    if (!context.ask.isAnswered) await confirmRemoval(context, session, zoneId);
    const saved = await remove(context, session, zoneId, flags);
    await context.output.result('Removed the fallback origin.', { deleted: true, ...saved });
  },
});

async function confirmRemoval({ ask }: Context, session: Session, zoneId: string): Promise<void> {
  const served = await countServedByDefault(session, zoneId);
  const who = served !== undefined ? describeServed(served) : 'every custom hostname without a custom origin';
  const lost = `requests for ${who} fail with error 1016`;
  await ask.confirm(
    `Remove the fallback origin of the zone on ${session.label}? Without a fallback origin, ${lost}.`,
    `The fallback origin would be removed: ${lost}.`,
  );
}

async function remove(
  context: Context,
  session: Session,
  zoneId: string,
  flags: UndoFlags,
): Promise<{ readonly undo?: string }> {
  const keeping = await openUndoRecorder(context, flags, 'by default');
  if (keeping === undefined) {
    await deleteFallbackOrigin(session, zoneId);
    return {};
  }
  const { deleteFallbackOriginWithUndo } = await import('../../../services/undo/fallback-origins.ts');
  const before = await readFallbackOrigin(session, zoneId);
  return keeping.report(await deleteFallbackOriginWithUndo(session, zoneId, before));
}
