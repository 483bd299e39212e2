import type { Capabilities } from '../../src/model/capability.ts';
import type { Target } from '../../src/model/target.ts';
import type { Where } from '../../src/model/where.ts';

/** A session as the header always names it. `accountLabel` is the account's name, or its id. */
export interface SessionLabel {
  readonly target: Target;
  readonly where: Where;
  readonly can: Capabilities;
  readonly accountLabel: string;
  readonly readOnly: boolean;
  /** Whether it acts on made-up data that nobody can lose. */
  readonly isDemo?: boolean;
}
