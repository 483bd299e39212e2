import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256, sha256 } from '../../src/model/sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('hashes like node:crypto at any length', () => {
  for (let length = 0; length < 200; length++) {
    const data = Buffer.alloc(length, length);
    expect(hex(sha256(data)), `${length} bytes`).toBe(createHash('sha256').update(data).digest('hex'));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 600 }), (key, data) => {
      expect(hex(hmacSha256(key, data))).toBe(createHmac('sha256', key).update(data).digest('hex'));
    }),
  );
});
