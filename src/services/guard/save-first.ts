import type { Decided } from '../../model/guard/policy.ts';
import { isProblem } from '../../model/problem.ts';
import type { HeldVerdict } from './held.ts';
import type { GuardUndo, SavedChange, UndoableChange, UndoRequest } from './undo.ts';

/** The change that a request makes, or why undo cannot restore it, as sentences. */
export type PreparedUndo =
  | { readonly change: UndoableChange | undefined; readonly lost?: undefined }
  | { readonly change?: undefined; readonly lost: string };

/** Whether undo can restore a change, for the person who decides. */
export function describeCover({ change, lost }: PreparedUndo): {
  readonly undoable: boolean;
  readonly lost: string | undefined;
} {
  return { undoable: change !== undefined, lost };
}

/** Finds out what a request will delete or overwrite, without reading it. */
export async function prepareUndo(undo: GuardUndo, request: UndoRequest): Promise<PreparedUndo> {
  try {
    return { change: await undo.prepare(request) };
  } catch (error) {
    return { lost: describeLost(error) };
  }
}

function describeLost(error: unknown): string {
  if (isProblem(error)) return `Undo cannot restore it. ${error.message}`;
  throw error;
}

/** The decision about a request that would delete or overwrite something that undo cannot restore. */
const asksWithoutUndo: Decided = {
  decision: 'ask',
  rule: { name: 'without undo', decision: 'ask' },
  policy: { source: 'built-in', rules: [] },
};

/** A request that its policy, or a person, has approved. */
export interface ApprovedRequest {
  readonly decided: Decided;
  readonly verdict?: HeldVerdict | undefined;
  readonly undo: PreparedUndo;
}

/** The decision after saving. */
export interface SavedRequest {
  readonly decided: Decided;
  readonly verdict: HeldVerdict | undefined;
  readonly saved: SavedChange | undefined;
  /** Why undo cannot restore the change, for the refusal. */
  readonly lost: string | undefined;
}

/**
 * Saves what a request will delete or overwrite. If that is not possible, asks a person whether to send the request anyway, unless
 * the person who approved it knew that.
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

/** Whether a request may be sent. */
export function isApproved({ decided, verdict }: Pick<SavedRequest, 'decided' | 'verdict'>): boolean {
  return decided.decision === 'allow' || (verdict !== undefined && 'approver' in verdict);
}
