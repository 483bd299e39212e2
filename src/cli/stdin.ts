import { addAbortSignal } from 'node:stream';
import type { InputStream, World } from '../world.ts';

/** Standard input that Ctrl-C ends: a command that waits for it must not wait for ever. */
export function interruptibleStdin(world: World): InputStream {
  return addAbortSignal(world.interrupted, world.stdin);
}
