import { addAbortSignal } from 'node:stream';
import type { InputStream, World } from '../world.ts';

/** Standard input that Ctrl-C interrupts, so that a command never waits for it forever. */
export function interruptibleStdin(world: World): InputStream {
  return addAbortSignal(world.interrupted, world.stdin);
}
