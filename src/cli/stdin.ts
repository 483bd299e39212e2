import { addAbortSignal } from 'node:stream';
import type { InputStream, World } from '../world.ts';

/** Returns standard input as a stream that Ctrl-C interrupts, because a command must never wait for input forever. */
export function interruptibleStdin(world: World): InputStream {
  return addAbortSignal(world.interrupted, world.stdin);
}
