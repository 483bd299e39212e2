import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// V8 heap settings for commands and servers that stream. The settings of the console are in components/kit/terminal/bound-heap.ts. The
// settings reduce the use of memory, not of time; each function states its measurements. Bench: npm run bench -- bulk. To remove: delete
// the calls to these functions, which do not affect results.

/**
 * Keeps V8's heap close to the size of the live data, for commands that stream. The garbage of these commands is short-lived, but V8 would
 * let the heap grow by 100 MB or more before collecting it. The young generation keeps its initial size, and the old generation grows by
 * less than half between two collections. Measured on Node 24: the export of 1,000,000 keys uses 313 MB without these settings and 103 MB
 * with them. The export of 1 GB of 25 kB values from a server uses 335 MB without these settings; with them, it uses 165 MB and a fifth
 * more processor time. A V8 version that does not support a flag prints a message on stderr and continues.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}

/** Maximum number of bytes for young objects, of which V8 uses one half at a time. */
const maxYoungBytes = 8_000_000;

/**
 * Limits V8's heap like `keepHeapSmall`, but with more memory for young objects. Use it for work that would otherwise spend a sixth of its
 * time on garbage collection. The returned function stops the growth of the young generation; call it while the work is still running.
 * Measured: an export of 100,000 keys uses 11 % less processor time, and 5 MB more memory. A sandbox server after 50,000 requests (npm run
 * bench -- sandbox) uses 290 MB without this function and 130 MB with it.
 */
export function limitYoungHeap(): () => void {
  keepHeapSmall();
  let mayGrow = true;
  setFlagsFromString('--semi-space-growth-factor=2');
  return () => {
    if (!mayGrow) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    mayGrow = young !== undefined && young.space_size < maxYoungBytes;
    if (!mayGrow) setFlagsFromString('--semi-space-growth-factor=1');
  };
}

/**
 * Keeps V8's young generation at its current size. The chunks of a stream are outside V8's heap, and are freed only when young objects are
 * collected. In a large young generation, collections are so rare that chunks accumulate (measured while writing 300 MiB from a socket to a
 * file: at most 145 MiB without this function, and 110 MiB with it).
 */
export function freezeYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
