import type { Capabilities } from '../../src/model/capability.ts';
import type { Target } from '../../src/model/target.ts';
import { formatPlaceName, type Where } from '../../src/model/where.ts';

/** A session as shown in the header. `accountLabel` is the account's name, or its id. */
export interface SessionLabel {
  readonly target: Target;
  readonly where: Where;
  readonly can: Capabilities;
  readonly accountLabel: string;
  readonly readOnly: boolean;
  /** Whether the session uses the demo's generated data, and therefore cannot lose real data. */
  readonly isDemo?: boolean;
}

/** Returns the name of a session's profile or place, as shown in the console. */
export function formatSessionPlace(where: Where): string {
  const isUnnamed = where.kind === 'remote' && where.profile === undefined;
  return isUnnamed ? 'env variables' : formatPlaceName(where);
}
