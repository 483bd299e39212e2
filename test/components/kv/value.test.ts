import { expect, test } from 'vitest';
import {
  describeExpiry,
  type ShownKey,
  type ValueView,
  valueCounts,
  valueSource,
  withValue,
} from '../../../components/kv/value.ts';
import { unreadBytes, withoutBytes } from '../../../components/ui/viewer/bytes-view.ts';
import { linesFrom } from '../../../components/ui/viewer/scroll.ts';
import { atTop } from '../../../components/ui/viewer/source.ts';
import { plainSurface } from '../plain-surface.ts';

const entry = { name: 'user:1', expiration: 1_800_000_000, metadata: { owner: 'web' } };

function read(value: string | Uint8Array, before: ShownKey = unreadBytes(entry)): ShownKey {
  return withValue(before, { entry, value: Buffer.from(value) });
}

function getLines(shown: ShownKey, view: ValueView = shown.view): string[] {
  const source = valueSource({ ...shown, view }, plainSurface(80));
  return source === undefined ? [] : linesFrom(source, atTop, 30);
}

test('opens with the view that fits the value', () => {
  expect(read('{"a":1}').view).toBe('json');
  expect(read('just text').view).toBe('text');
  expect(read(Buffer.of(0, 1, 2, 0xff)).view).toBe('hex');
  expect(read('').view).toBe('text');
  expect(read(`"${'x'.repeat(1024 * 1024)}"`).view).toBe('text');
});

test('indents JSON and preserves its digits', () => {
  expect(getLines(read('{"id":12345678901234567890,"x":[]}'))).toEqual([
    '{',
    '  "id": 12345678901234567890,',
    '  "x": []',
    '}',
  ]);
  expect(getLines(read('no json'), 'json')).toEqual(['This value cannot be shown as JSON.']);
});

test('shows size, expiry and metadata separately from the value', () => {
  expect(getLines(read('12345'), 'metadata')).toEqual([
    'size      5 bytes',
    'expires   2027-01-15T08:00:00Z',
    'metadata',
    '{',
    '  "owner": "web"',
    '}',
  ]);
});

test('keeps the selected view when the value is reread or stored', () => {
  const hex: ShownKey = { ...read('{"a":1}'), view: 'hex' };
  expect(read('plain', hex)).toMatchObject({ view: 'hex', kind: { label: 'text' } });
});

test('shows no value and no counts of a deleted key', () => {
  const shown = withoutBytes(unreadBytes({ name: 'user:1' }));
  expect(valueSource(shown, plainSurface(80))).toBeUndefined();
  expect(valueCounts(shown, { line: '', now: 0, hasFacts: false })).toBe('');
});

test('shows line, expiry, size and kind in the header, unless another region shows them', () => {
  const now = (entry.expiration - 7200) * 1000;
  const line = 'line 2 of 3';
  expect(valueCounts(read('{"a":1}'), { line, now, hasFacts: false })).toBe(
    'expires in 2h · 7 B, JSON · line 2 of 3',
  );
  expect(valueCounts(read('{"a":1}'), { line, now, hasFacts: true })).toBe(line);
  expect(valueCounts(unreadBytes(entry), { line: '', now, hasFacts: false })).toBe('expires in 2h');
  const plain = withValue(unreadBytes(entry), { entry: { name: 'x' }, value: Buffer.from('a') });
  expect(valueCounts(plain, { line: '', now, hasFacts: false })).toBe('1 B, text');
});

test('shows the expiry in the same form as the list of keys', () => {
  const expiry = (seconds: number) => describeExpiry(1_800_000_000, (1_800_000_000 - seconds) * 1000);
  expect(expiry(7 * 86_400 - 1)).toBe('expires in 6d23h');
  expect(expiry(90 * 86_400)).toBe('expires in 90d');
  expect(expiry(-7200)).toBe('expired 2 h ago');
});

test('stores the hash of a value with the value, and updates it when other bytes are read', () => {
  // The SHA-256 of "abc" in FIPS 180-2, appendix B.1.
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const first = read('abc');
  expect(first.sha256).toBe(abc);
  expect(read('abc', first)).toEqual(first);
  const other = read('', first);
  expect(other.sha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(read('abc', withoutBytes(other)).sha256).toBe(abc);
});

test('shows the size and a short expiry in a narrow header', () => {
  const narrow = (seconds: number) =>
    valueCounts(read('abc'), {
      line: '1/3',
      now: (entry.expiration - seconds) * 1000,
      hasFacts: false,
      isNarrow: true,
    });
  expect(narrow(7200)).toBe('3 B · in 2h · 1/3');
  expect(narrow(-7200)).toBe('3 B · expired 2 h ago · 1/3');
});
