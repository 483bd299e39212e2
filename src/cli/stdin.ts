import { addAbortSignal } from 'node:stream';
import type { Input, World } from '../world.ts';

/** Standard input that Ctrl-C ends: a command that waits for it must not wait for ever. */
export function interruptibleStdin(world: World): Input {
  return addAbortSignal(world.interrupted, world.stdin);
}
