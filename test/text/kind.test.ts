import { expect, test } from 'vitest';
import { guessKind } from '../../src/text/kind.ts';

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

test.each([
  ['', 'empty', 'empty'],
  ['plain text\n', 'text', 'text'],
  ['\u001b[31mcoloured', 'text', 'text'],
  ['{"a": 1}', 'json', 'JSON'],
  [' [1, 2]\n', 'json', 'JSON'],
  ['"a string"', 'json', 'JSON'],
  ['{not json}', 'text', 'text'],
  ['[section]\nkey = 1', 'text', 'text'],
  ['42', 'text', 'text'],
  ['\x89PNG\r\n\x1a\n\x00\x00', 'binary', 'PNG image'],
  ['\xff\xd8\xff\xe0', 'binary', 'JPEG image'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'binary', 'WebP image'],
  ['\x00\x00\x00\x18ftypheic', 'binary', 'HEIC image'],
  ['\x00\x00\x00\x18ftypisom', 'binary', 'MP4 video'],
  ['\x1f\x8b\x08\x00', 'binary', 'gzip archive'],
  ['%PDF-1.7\n', 'binary', 'PDF document'],
  ['BMW is a car', 'text', 'text'],
  ['\x00\x01\x02', 'binary', 'binary'],
  ['caf\xe9', 'binary', 'binary'],
])('recognizes %j as %s (%s)', (head, kind, label) => {
  expect(guessKind(bytes(head), true)).toEqual({ kind, label });
});

test('recognizes text whose last character is cut as text', () => {
  const cut = Buffer.from('grüß').subarray(0, -1);
  expect(guessKind(cut, false).kind).toBe('text');
  expect(guessKind(cut, true).kind).toBe('binary');
  expect(guessKind(Buffer.from('grüß'), false).kind).toBe('text');
});

test('recognizes the beginning of a long JSON value', () => {
  expect(guessKind(bytes('{"items": [1, 2, '), false).kind).toBe('json');
  expect(guessKind(bytes('[{"a'), false).kind).toBe('json');
  expect(guessKind(bytes('{curly'), false).kind).toBe('text');
});
