/** The first 64 primes, from which SHA-256's constants are derived (FIPS 180-4, sections 4.2.2 and 5.3.3). */
const primes: number[] = [];
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number);
}
const fractionBits = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const rounds = Int32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));
const initialState = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

/**
 * Returns the SHA-256 of short data, for example for file names. Loading `node:crypto` takes 6 ms, a fifth of the minimal startup time. Use
 * `node:crypto` for long data.
 */
export function sha256(data: Uint8Array): Uint8Array {
  const state = Int32Array.from(initialState);
  const blocks = padMessage(data);
  for (let at = 0; at < blocks.byteLength; at += 64) mix(state, blocks, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

/** Returns the HMAC (RFC 2104) with `sha256`, for a key of at most 64 bytes. */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  const masked = (mask: number) => Uint8Array.from({ length: 64 }, (_, index) => (key[index] ?? 0) ^ mask);
  return sha256(Buffer.concat([masked(0x5c), sha256(Buffer.concat([masked(0x36), data]))]));
}

/** Pads the message with a one bit and zeros; the length in bits is at the end of the last block. */
function padMessage(data: Uint8Array): DataView {
  const blocks = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  blocks.set(data);
  blocks[data.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 4, data.length * 8);
  return view;
}

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Processes one block of 64 bytes (FIPS 180-4, section 6.2.2). */
function mix(state: Int32Array, blocks: DataView, at: number): void {
  const schedule = expandSchedule(blocks, at);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round++) {
    const chosen = (e & f) ^ (~e & g);
    const given = (rounds[round] ?? 0) + (schedule[round] ?? 0);
    const first = (h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + chosen + given) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function expandSchedule(blocks: DataView, at: number): Int32Array {
  const words = new Int32Array(64);
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 64; index++) {
    const [before, near] = [word(index - 15), word(index - 2)];
    const low = rotateRight(before, 7) ^ rotateRight(before, 18) ^ (before >>> 3);
    const high = rotateRight(near, 17) ^ rotateRight(near, 19) ^ (near >>> 10);
    words[index] =
      index < 16 ? blocks.getInt32(at + index * 4) : word(index - 16) + low + word(index - 7) + high;
  }
  return words;
}
