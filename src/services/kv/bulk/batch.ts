import type { IndexRange } from '../../../model/kv/index-ranges.ts';

/** Maximum number of entries and of bytes in one request. A single entry may be longer than the maximum number of bytes. */
export interface BatchLimits {
  readonly entries: number;
  readonly bytes: number;
  /** Estimated length of a body, used for the size of its buffer (default: `bytes`). */
  readonly expectedBytes?: number;
}

/** The part of a bulk file that one request sends: its body and its entries. */
export interface Batch {
  /** Number of entries in the body. */
  readonly count: number;
  /** The body, a JSON array. The bytes are valid until `giveBack`. */
  readonly body: Uint8Array;
  /** Indices of the entries in the file, including skipped entries (repeated or invalid). */
  readonly range: IndexRange;
  /** The key of the last entry. */
  readonly lastKey: string;
  /** The earliest expiration in the batch, in UNIX seconds; Infinity if no entry expires. */
  readonly soonest: number;
}

/** An entry to add to a batch. */
export interface BatchEntry {
  readonly key: string;
  /** The JSON to send. */
  readonly json: string;
  /** Expiry in UNIX seconds. */
  readonly expiration?: number | undefined;
}

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** A queue that collects entries (as JSON) into batches of limited size. */
export class Batches {
  readonly #limits: BatchLimits;
  readonly #ready: Batch[] = [];
  readonly #spare: Buffer[] = [];
  #body: Buffer | undefined;
  #length = 0;
  #count = 0;
  #from = 0;
  #to = 0;
  #lastKey = '';
  #soonest = Number.POSITIVE_INFINITY;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** Adds the entry at `index`. The range of its batch includes skipped entries before this index. */
  add(index: number, { key, json, expiration = Number.POSITIVE_INFINITY }: BatchEntry): void {
    const tooLong = isLonger(json, this.#limits.bytes - this.#length - 2);
    if (this.#count > 0 && (tooLong || this.#count >= this.#limits.entries)) this.#close();
    const body = this.#reserve(json);
    body[this.#length] = this.#count === 0 ? openBracket : comma;
    this.#length += 1 + body.write(json, this.#length + 1);
    this.#count++;
    this.#to = index + 1;
    this.#lastKey = key;
    this.#soonest = Math.min(this.#soonest, expiration);
  }

  /** Excludes the entries from `index` up to, but not including, `next` from all batches. Ends the current batch at `index`. */
  skip(index: number, next: number): void {
    if (this.#count > 0) {
      this.#to = index;
      this.#close();
    }
    this.#from = next;
    this.#to = next;
  }

  /** Ends the last batch. `end` is the number of entries in the file. */
  end(end: number): void {
    if (this.#count === 0) return;
    this.#to = end;
    this.#close();
  }

  /** Returns the next finished batch and removes it from the queue; undefined if no batch is finished. */
  take(): Batch | undefined {
    return this.#ready.shift();
  }

  /** Releases a batch's memory for reuse. */
  giveBack(batch: Batch): void {
    this.#spare.push(Buffer.from(batch.body.buffer));
  }

  #close(): void {
    const body = this.#reserve('');
    body[this.#length] = closeBracket;
    this.#ready.push({
      count: this.#count,
      body: body.subarray(0, this.#length + 1),
      range: [this.#from, this.#to],
      lastKey: this.#lastKey,
      soonest: this.#soonest,
    });
    this.#body = undefined;
    this.#length = 0;
    this.#count = 0;
    this.#soonest = Number.POSITIVE_INFINITY;
    this.#from = this.#to;
  }

  /**
   * Returns a buffer with space for an entry, a separator and the closing bracket. The first buffer is small, because earlier bodies may
   * still be in use.
   */
  #reserve(json: string): Buffer {
    const { bytes, expectedBytes = bytes } = this.#limits;
    const expected = Math.min(bytes, expectedBytes) + 2;
    this.#body ??= this.#spare.pop() ?? allocate(Math.min(expected, smallBody));
    if (isLonger(json, this.#body.length - this.#length - 2)) {
      const needed = this.#length + json.length * 3 + 2;
      const spare = this.#spare.findIndex(({ length }) => length >= needed);
      const [larger = allocate(Math.max(expected, needed))] =
        spare === -1 ? [] : this.#spare.splice(spare, 1);
      larger.set(this.#body.subarray(0, this.#length));
      this.#body = larger;
    }
    return this.#body;
  }
}

/**
 * Returns whether a string has more than `room` bytes in UTF-8. UTF-8 takes at most three bytes per UTF-16 unit, so most strings need not
 * be measured.
 */
function isLonger(text: string, room: number): boolean {
  return text.length * 3 > room && Buffer.byteLength(text) > room;
}

/** Initial size of a body's buffer, in bytes. One chunk of a file cannot add more bytes. */
const smallBody = 2 * 1024 * 1024;

/** Allocates a buffer outside Node's pool, because `giveBack` reuses the whole memory of a buffer. */
function allocate(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes));
}
