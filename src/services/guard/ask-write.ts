import type { Decided, RequestFacts } from '../../model/guard/policy.ts';
import type { Call, Send } from '../../v4/send.ts';
import type { HeldVerdict } from './held.ts';

/** A write of this process that requires approval by a policy rule. */
export interface AskedWrite {
  readonly call: Call;
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** Describes the platform and account to the user. */
  readonly place: string;
  /** Whether undo can restore what the write deletes or overwrites. */
  readonly undoable: boolean;
  /** Reads the current state, without asking for approval. */
  readonly send: Send;
}

/** Asks a person to approve a write. The signal of the call cancels the question. */
export type AskWrite = (asked: AskedWrite) => Promise<HeldVerdict>;
