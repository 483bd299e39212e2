import type { IndexRange } from '../../../model/kv/index-ranges.ts';

/** Limits of one request. A request holds at least one entry, however long. */
export interface BatchLimits {
  readonly entries: number;
  readonly bytes: number;
  /** How long a body will be, as far as one can tell: memory is taken for so much. */
  readonly expectedBytes?: number;
}

/** One request's worth of a bulk file: its body, and which entries it deals with. */
export interface Batch {
  /** Entries in the body. */
  readonly count: number;
  /** A JSON array. Valid until the batch is given back. */
  readonly body: Uint8Array;
  /** Indices in the file; includes those that were left out (repeated or wrong). */
  readonly range: IndexRange;
  /** The key of its last entry. */
  readonly lastKey: string;
  /** The earliest expiration in it, UNIX seconds; Infinity where nothing expires. */
  readonly soonest: number;
}

/** An entry as a batch takes it. */
export interface BatchEntry {
  readonly key: string;
  /** The entry as it is sent. */
  readonly json: string;
  /** UNIX seconds. */
  readonly expiration?: number | undefined;
}

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** Gathers entries, as JSON texts, into batches within limits. Their memory is used again once they are given back. */
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

  /** Adds the entry at `index`; the entries between it and the one before count as dealt with in its batch. */
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

  /** Says that the entries before `index` are in a batch, and that those from it to `next` belong to none. */
  skip(index: number, next: number): void {
    if (this.#count > 0) {
      this.#to = index;
      this.#close();
    }
    this.#from = next;
    this.#to = next;
  }

  /** Ends the input, whose entries are all before `end`. */
  end(end: number): void {
    if (this.#count === 0) return;
    this.#to = end;
    this.#close();
  }

  /** The next batch that is full, if any. */
  take(): Batch | undefined {
    return this.#ready.shift();
  }

  /** Gives a batch's memory back. */
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
   * Room for a text, what separates it and what closes the array. A body begins small, because its first entries may
   * come while the memory of the one before is still in use.
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

/** Whether a text has more bytes than `room`. It is measured only if it could have: UTF-8 takes up to three a character. */
function isLonger(text: string, room: number): boolean {
  return text.length * 3 > room && Buffer.byteLength(text) > room;
}

/** More than one chunk of a file can add to a body that has to wait. */
const smallBody = 2 * 1024 * 1024;

/** Memory of its own, not a part of Node's pool, because a batch gives back its whole buffer. */
function allocate(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes));
}
