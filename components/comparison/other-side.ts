import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Target } from '../../src/model/target.ts';

/** The other side of a comparison: where the other keys are. */
export interface OtherSide {
  readonly namespace: Namespace;
  /** Left out, where the console acts. */
  readonly target?: Target;
  /** In words, escaped: `its preview namespace api_preview`. */
  readonly words: string;
}
