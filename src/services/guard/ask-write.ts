import type { Decided, RequestFacts } from '../../model/guard/policy.ts';
import type { Call, Send } from '../../v4/send.ts';
import type { HeldVerdict } from './held.ts';

/** A write of this process for which a rule asks. */
export interface AskedWrite {
  readonly call: Call;
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** Describes the place for people. */
  readonly place: string;
  /** Whether undo can restore what the write deletes or overwrites. */
  readonly undoable: boolean;
  /** Reads the current state, without asking. */
  readonly send: Send;
}

/** Asks a person about a write. The signal of the call ends the question. */
export type AskWrite = (asked: AskedWrite) => Promise<HeldVerdict>;
