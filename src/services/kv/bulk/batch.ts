import type { IndexRange } from '../../../model/kv/index-ranges.ts';

/** Limits of one request. A request contains at least one entry of any length. */
export interface BatchLimits {
  readonly entries: number;
  readonly bytes: number;
  /** Estimated length of a body, used as the size of its buffer. */
  readonly expectedBytes?: number;
}

/** The part of a bulk file that one request sends: its body and its entries. */
export interface Batch {
  /** Entries in the body. */
  readonly count: number;
  /** The body, a JSON array. The bytes are valid until `giveBack`. */
  readonly body: Uint8Array;
  /** Indices in the file, including skipped entries (repeated or invalid). */
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
  /** When the entry expires, in UNIX seconds. */
  readonly expiration?: number | undefined;
}

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** Collects entries (as JSON) into batches within limits. `giveBack` makes the memory of a batch available again. */
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

  /** Adds the entry at `index`. Skipped entries before this index become part of the same batch. */
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

  /** Marks the entries from `index` to `next` as skipped: they are not part of any batch. All entries before `index` must be in a batch. */
  skip(index: number, next: number): void {
    if (this.#count > 0) {
      this.#to = index;
      this.#close();
    }
    this.#from = next;
    this.#to = next;
  }

  /** Marks the end of the input. `end` is greater than the index of any entry. */
  end(end: number): void {
    if (this.#count === 0) return;
    this.#to = end;
    this.#close();
  }

  /** Returns the next full batch and removes it from the queue; undefined if no batch is full. */
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
   * Returns a buffer with space for an entry, a separator and the end of the array. The buffer starts small, because the memory of the
   * previous body may still be in use.
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
 * Whether a string is longer than `room`, in UTF-8 bytes. The exact length is measured only if necessary, because UTF-8 takes at most three
 * bytes per UTF-16 unit.
 */
function isLonger(text: string, room: number): boolean {
  return text.length * 3 > room && Buffer.byteLength(text) > room;
}

/** Initial size of a body's buffer, in bytes. One chunk of a file cannot add more bytes. */
const smallBody = 2 * 1024 * 1024;

/** Allocates a separate buffer, not part of Node's pool, because a batch releases its whole buffer. */
function allocate(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes));
}
