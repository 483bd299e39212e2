import { quote } from '../../model/guard/held.ts';
import type { Decided, FoundRule } from '../../model/guard/policy.ts';
import { isProblem } from '../../model/problem.ts';
import type { HeldVerdict } from './held.ts';
import type { GuardUndo, SavedChange, UndoableChange, UndoRequest } from './undo.ts';

/** The change that a request makes, or a message that explains why undo cannot restore the change. */
export type PreparedUndo =
  | { readonly change: UndoableChange | undefined; readonly lost?: undefined }
  | { readonly change?: undefined; readonly lost: string };

/** Returns whether undo can restore a change, in the form shown to the person who decides. */
export function describeCover({ change, lost }: PreparedUndo): {
  readonly undoable: boolean;
  readonly lost: string | undefined;
} {
  return { undoable: change !== undefined, lost };
}

/** Finds out which resources a request will delete or overwrite, without reading them. */
export async function prepareUndo(undo: GuardUndo, request: UndoRequest): Promise<PreparedUndo> {
  try {
    return { change: await undo.prepare(request) };
  } catch (error) {
    return { lost: describeLost(error) };
  }
}

function describeLost(error: unknown): string {
  if (!isProblem(error)) throw error;
  const { message, platformCode } = error;
  const why = platformCode === undefined ? message : `The platform responded: ${quote(message)}`;
  return `Undo cannot restore the old state. ${why}`;
}

/** The rule for a request that deletes or overwrites data which undo cannot restore. */
const withoutUndo: FoundRule = {
  rule: { name: 'without undo', decision: 'ask' },
  policy: { source: 'built-in', rules: [] },
};

const asksWithoutUndo: Decided = { decision: 'ask', ...withoutUndo, asking: [{ ...withoutUndo, names: [] }] };

/** A request that the policy or a person has approved. */
export interface ApprovedRequest {
  readonly decided: Decided;
  readonly verdict?: HeldVerdict | undefined;
  readonly undo: PreparedUndo;
}

/** The decision after the old state was saved, or could not be saved. */
export interface SavedRequest {
  readonly decided: Decided;
  readonly verdict: HeldVerdict | undefined;
  readonly saved: SavedChange | undefined;
  /** Why undo cannot restore the change, for the refusal message. */
  readonly lost: string | undefined;
}

/**
 * Saves what a request will delete or overwrite. If saving is not possible, asks a person whether to send the request anyway, unless the
 * person who approved the request already knew this.
 */
export async function saveFirst(
  { decided, verdict, undo }: ApprovedRequest,
  ask: (decided: Decided, lost: string) => Promise<HeldVerdict>,
): Promise<SavedRequest> {
  let { lost } = undo;
  let saved: SavedChange | undefined;
  try {
    saved = await undo.change?.save();
  } catch (error) {
    lost = describeLost(error);
  }
  const isKnown = verdict !== undefined && 'approver' in verdict && verdict.withoutUndo === true;
  if (lost === undefined || isKnown) return { decided, verdict, saved, lost };
  return { decided: asksWithoutUndo, verdict: await ask(asksWithoutUndo, lost), saved, lost };
}

/** Returns whether a request may be sent. */
export function isApproved({ decided, verdict }: Pick<SavedRequest, 'decided' | 'verdict'>): boolean {
  return decided.decision === 'allow' || (verdict !== undefined && 'approver' in verdict);
}

/**
 * Decides again about a request that may have waited for a person. If the policies now deny the request, for example because the profile
 * was locked meanwhile, returns the denial and deletes what was saved for undo.
 */
export async function decideAgain(prepared: SavedRequest, decide: () => Decided): Promise<SavedRequest> {
  if (!isApproved(prepared)) return prepared;
  const decided = decide();
  if (decided.decision !== 'deny') return prepared;
  await prepared.saved?.drop();
  return { decided, verdict: undefined, saved: undefined, lost: undefined };
}
