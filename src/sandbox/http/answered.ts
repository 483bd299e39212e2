import { channel } from 'node:diagnostics_channel';
import type { Answer, Method } from '../../v4/send.ts';

/** An answer with the route that gave it. */
export interface Answered {
  readonly method: Method;
  /** Pattern of the route; undefined where there is none. */
  readonly pattern: string | undefined;
  readonly answer: Answer;
}

const answers = channel('edgectl:sandbox:answer');

/** Tells of an answer on the channel `edgectl:sandbox:answer`, while somebody in this process listens to it. */
export function tellAnswer(answered: () => Answered): void {
  if (answers.hasSubscribers) answers.publish(answered());
}
