import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's young generation at its first size, for commands that stream: what they allocate is dead soon, and V8
 * would let it take 64 MB and more before it looks. Measured on Node 24, the export of 1,000,000 keys: 313 MB without,
 * 103 MB with it, in the same time. A V8 that does not know the flag says so on stderr and goes on.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
