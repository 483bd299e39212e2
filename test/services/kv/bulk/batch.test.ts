import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kvLimits } from '../../../../src/model/kv/kv.ts';
import { type Batch, Batches } from '../../../../src/services/kv/bulk/batch.ts';
import { batchEntry } from '../../../../src/services/kv/bulk/run.ts';
import { anyCharacter } from '../../../support/any-character.ts';

interface Given {
  readonly value: string;
  /** Whether the input omits the entry, as it omits a repeated entry. */
  readonly dropped: boolean;
}

function getBatches(given: readonly Given[], limits: { entries: number; bytes: number }): Batch[] {
  const batches = new Batches(limits);
  const taken: Batch[] = [];
  const drain = (): void => {
    for (let batch = batches.take(); batch !== undefined; batch = batches.take()) {
      taken.push({ ...batch, body: Buffer.from(batch.body) });
      batches.giveBack(batch);
    }
  };
  for (const [index, { value, dropped }] of given.entries()) {
    if (!dropped) batches.add(index, { key: `k${index}`, json: JSON.stringify(value) });
    if (index % 3 === 0) drain();
  }
  batches.end(given.length);
  drain();
  return taken;
}

const input = fc.array(
  fc.record({ value: fc.string({ unit: anyCharacter, maxLength: 30 }), dropped: fc.boolean() }),
);
const limits = fc.record({
  entries: fc.integer({ min: 1, max: 6 }),
  bytes: fc.integer({ min: 2, max: 120 }),
});

describe('Batches', () => {
  it('contain every entry once, in order, within the limits unless a single entry is too long', () => {
    fc.assert(
      fc.property(input, limits, (given, limit) => {
        const batches = getBatches(given, limit);
        const bodies = batches.map(({ body }) => JSON.parse(Buffer.from(body).toString()) as string[]);
        expect(bodies.flat()).toEqual(given.filter(({ dropped }) => !dropped).map(({ value }) => value));
        for (const [at, { body, count }] of batches.entries()) {
          expect(bodies[at]).toHaveLength(count);
          expect(count).toBeLessThanOrEqual(limit.entries);
          if (count > 1) expect(body.length).toBeLessThanOrEqual(limit.bytes);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are as full as possible to keep requests few', () => {
    const given = Array.from({ length: 25 }, () => ({ value: 'abc', dropped: false }));
    expect(getBatches(given, { entries: 10, bytes: 1000 }).map(({ count }) => count)).toEqual([10, 10, 5]);
    // Five entries of 5 bytes each, 4 commas and 2 brackets.
    expect(getBatches(given, { entries: 10, bytes: 31 }).map(({ count }) => count)).toEqual([5, 5, 5, 5, 5]);
    expect(getBatches(given, { entries: 10, bytes: 30 }).map(({ count }) => count)).toEqual([
      4, 4, 4, 4, 4, 4, 1,
    ]);
  });

  it('cover the indices of the input without a gap, including skipped entries', () => {
    fc.assert(
      fc.property(input, limits, (given, limit) => {
        const ranges = getBatches(given, limit).map(({ range }) => range);
        let next = 0;
        for (const [from, to] of ranges) {
          expect(from).toBe(next);
          expect(to).toBeGreaterThan(from);
          next = to;
        }
        if (given.some(({ dropped }) => !dropped)) expect(next).toBe(given.length);
      }),
    );
  });

  it('reuse released memory that has a long enough range', () => {
    const batches = new Batches({ entries: 1, bytes: 8 * 1024 * 1024, expectedBytes: 4 * 1024 * 1024 });
    const next = (length: number) => {
      batches.add(0, { key: 'k', json: `"${'x'.repeat(length)}"` });
      batches.end(1);
      const batch = batches.take();
      if (batch === undefined) throw new Error('There is none.');
      // Expects only a boolean, because showing a difference of megabytes would take a minute.
      const [value] = JSON.parse(Buffer.from(batch.body).toString());
      expect(value === 'x'.repeat(length)).toBe(true);
      return batch;
    };
    const long = next(3 * 1024 * 1024);
    const short = next(1);
    expect(short.body.buffer === long.body.buffer).toBe(false);
    batches.giveBack(long);
    batches.giveBack(short);
    expect(next(3 * 1024 * 1024).body.buffer === long.body.buffer).toBe(true);
    // A body starts with a small buffer, because many bodies are in use at the same time, and few of them are full.
    expect(short.body.buffer.byteLength).toBe(2 * 1024 * 1024);
    expect(long.body.buffer.byteLength).toBeLessThan(10 * 1024 * 1024);
  });

  it('have space for characters of three bytes each', () => {
    const batches = new Batches({ entries: 1, bytes: 100, expectedBytes: 1 });
    batches.add(0, { key: 'k', json: '語語' });
    batches.end(1);
    expect(Buffer.from(batches.take()?.body ?? []).toString()).toBe('[語語]');
  });

  it('do not span skipped entries', () => {
    const batches = new Batches({ entries: 10, bytes: 1000 });
    batches.add(0, { key: 'a', json: '1' });
    batches.skip(1, 5);
    batches.add(5, { key: 'b', json: '2', expiration: 70 });
    batches.add(6, { key: 'c', json: '3', expiration: 60 });
    batches.end(8);
    expect([batches.take(), batches.take(), batches.take()]).toMatchObject([
      { range: [0, 1], lastKey: 'a', soonest: Number.POSITIVE_INFINITY },
      { range: [5, 8], lastKey: 'c', soonest: 60 },
      undefined,
    ]);
  });
});

it('sends an entry as text, and as base64 only if its escapes are longer than base64 can be', () => {
  const sentOf = (value: string) => {
    const { json } = batchEntry({ key: 'k', sent: { key: 'k', value, metadata: { n: 1 } } });
    expect(Buffer.byteLength(json)).toBeLessThan(kvLimits.bulkBytes / 2);
    return JSON.parse(json);
  };
  const maximum = 'x'.repeat(kvLimits.valueBytes);
  expect([sentOf('\0').value, sentOf(maximum).value === maximum]).toEqual(['\0', true]);
  const zeros = sentOf('\0'.repeat(kvLimits.valueBytes / 4));
  expect(zeros).toMatchObject({ key: 'k', base64: true, metadata: { n: 1 } });
  expect(Buffer.from(zeros.value, 'base64').equals(Buffer.alloc(kvLimits.valueBytes / 4))).toBe(true);
});
