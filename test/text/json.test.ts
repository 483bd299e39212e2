import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonListParts, jsonText, prettyJson } from '../../src/text/json.ts';

function pretty(text: string): string | undefined {
  const bytes = prettyJson(Buffer.from(text));
  return bytes && Buffer.from(bytes).toString();
}

test('formats JSON like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const value: unknown = JSON.parse(json);
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(pretty(JSON.stringify(plain, null, indent))).toBe(JSON.stringify(plain, null, 2));
    }),
  );
});

test('keeps digits, duplicate names and the notation of strings', () => {
  expect(pretty('{"n":12345678901234567890.10,"n":1e400,"s":"a\\u002f\\"[,"}')).toBe(
    '{\n  "n": 12345678901234567890.10,\n  "n": 1e400,\n  "s": "a\\u002f\\"[,"\n}',
  );
  expect(pretty(' [ ] ')).toBe('[]');
  expect(pretty('{"a":[ ],"b":{\n}}')).toBe('{\n  "a": [],\n  "b": {}\n}');
});

test.each(['', '{', '{a:1}', '\ufeff1', '[1,]'])('rejects %j as JSON', (text) => {
  expect(pretty(text)).toBeUndefined();
});

test('rejects bytes that are not UTF-8 as JSON', () => {
  expect(prettyJson(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
});

test('stops at the limit of nesting that would exhaust memory', () => {
  expect(prettyJson(Buffer.from('['.repeat(5000) + ']'.repeat(5000)), 100_000)).toBeUndefined();
});

test('escapes JSON for output on a terminal', () => {
  expect(jsonText({ name: 'a\u202e\u009b' })).toBe('{"name":"a\\u202e\\u009b"}');
  expect(jsonText([1], 2)).toBe('[\n  1\n]');
});

test.each([0, 1, 64, 65, 200])(
  'writes a list of %d in parts that form the same text as the complete object',
  async (count) => {
    const members = Array.from({ length: count }, (_, at) => ({ at, text: '[]\n\u001b' }));
    let taken = 0;
    const coming = async function* () {
      for (const member of members) {
        taken += 1;
        yield member;
      }
    };
    const tail = () => ({ count: taken, causes: {} });
    let text = '';
    for await (const part of jsonListParts({ zoneId: '[]', none: [] }, 'members', coming(), tail)) {
      expect(taken).toBeLessThanOrEqual((text.match(/"at"/g)?.length ?? 0) + 64);
      text += part;
    }
    expect(text).toBe(`${jsonText({ zoneId: '[]', none: [], members, ...tail() }, 2)}\n`);
  },
);
