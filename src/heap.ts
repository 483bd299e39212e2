import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// The settings of V8's heap for commands and servers that stream; the console's are in components/kit/terminal/bound-heap.ts.
// Gain: memory, not time; each function gives its figures. Bench: npm run bench -- bulk. To remove: delete the calls of these
// functions. They change no result.

/**
 * Keeps V8's heap close to the live data, for commands that stream: their garbage is short-lived, and V8 would let it grow by
 * 100 MB and more before collecting. The young generation stays at its first size, and the old one grows by less than half
 * between two collections. Measured on Node 24: the export of 1,000,000 keys takes 313 MB without and 103 MB with it, that of 1
 * GB of 25 kB values from a server 335 and 165 MB, with a fifth more processor time. A V8 that does not know a flag prints that
 * on stderr and continues.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}

/** Bytes of room for young objects, of which V8 uses one half at a time. */
const mostYoung = 8_000_000;

/**
 * Like `keepHeapSmall`, with more room for young objects, for work whose collection takes a sixth of the time. The returned
 * function ends their growth; call it while the work continues. Measured: an export of 100,000 keys takes 11 % less processor
 * time, and 5 MB more.
 */
export function keepHeapBounded(): () => void {
  keepHeapSmall();
  let mayGrow = true;
  setFlagsFromString('--semi-space-growth-factor=2');
  return () => {
    if (!mayGrow) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    mayGrow = young !== undefined && young.space_size < mostYoung;
    if (!mayGrow) setFlagsFromString('--semi-space-growth-factor=1');
  };
}

/**
 * Keeps V8's young generation at the size that it has. The chunks of a stream lie outside of V8's heap and are let go
 * only when young objects are collected; grown, that happens so seldom that they pile up (measured with 300 MiB from a
 * socket into a file: 145 MiB at the most, 110 MiB so).
 */
export function keepYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
