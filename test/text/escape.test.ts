import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeBytes, escapedRuns, escapeJson, escapeLines, escapeText } from '../../src/text/escape.ts';
import { anyCharacter } from '../support/any-character.ts';
import { unescapeBytes, unescapeText } from '../support/unescape.ts';

const unicode = fc.string({ unit: anyCharacter, maxLength: 40 });
const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
const marks = fc.string({
  unit: fc.constantFrom(
    'a',
    '\u0301',
    '\u0489',
    '\n',
    '\\',
    '\u1100',
    '\u1161',
    '\u11a8',
    '가',
    '\u200d',
    '😀',
  ),
});
const anyText = fc.oneof(unicode, units, marks);
const _anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        0x41,
        0x5c,
        0xc3,
        0xa9,
        0xe2,
        0x80,
        0xae,
        0xed,
        0xa0,
        0xf0,
        0x9f,
        0x98,
        0xef,
        0xbb,
        0xbf,
      ),
    )
    .map((bytes) => Uint8Array.from(bytes)),
);

describe('escaped text', () => {
  test.each([
    ['', ''],
    ['user:42/profile.json', 'user:42/profile.json'],
    ['C:\\new', 'C:\\\\new'],
    ['a\nb\r\n\tc', 'a\\nb\\r\\n\\tc'],
    ['\u001b]52;c;aGk=\u0007', '\\e]52;c;aGk=\\x07'],
    ['\u0000\u007f', '\\x00\\x7f'],
    ['\u009b2J', '\\u{9b}2J'],
    ['invoice\u202efdp.exe', 'invoice\\u{202e}fdp.exe'],
    ['\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a\u200bb\u00adc\ufeff', 'a\\u{200b}b\\u{ad}c\\u{feff}'],
    ['line\u2028par\u2029', 'line\\u{2028}par\\u{2029}'],
    ['no\u00a0break\u3000wide', 'no\\u{a0}break\\u{3000}wide'],
    ['\u3164\uffa0\u2800', '\\u{3164}\\u{ffa0}\\u{2800}'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half\ud800', 'half\\u{d800}'],
    ['private\ue000 none\uffff', 'private\\u{e000} none\\u{ffff}'],
    ['👨\u200d👩', '👨\\u{200d}👩'],
    ['❤\ufe0f', '❤\\u{fe0f}'],
    ['naïve Grüße 東京 한국 ไทย हिन्दी 😀', 'naïve Grüße 東京 한국 ไทย हिन्दी 😀'],
  ])('shows %j as %j', (text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  test('keeps four combining marks of a base character, and escapes further marks', () => {
    expect(escapeText(`e${'\u0301'.repeat(6)}x`)).toBe(`e${'\u0301'.repeat(4)}\\u{301}\\u{301}x`);
  });

  test('does not combine a mark with preceding text or with an escape', () => {
    expect(escapeText('\u0301a')).toBe('\\u{301}a');
    expect(escapeText('\n\u0301\u0301')).toBe('\\n\\u{301}\\u{301}');
    expect(escapeText('\\\u0301')).toBe('\\\\\\u{301}');
  });

  test('keeps decomposed Hangul, and escapes all but the first of a run of jamo of one class', () => {
    expect(escapeText('한국'.normalize('NFD'))).toBe('한국'.normalize('NFD'));
    expect(escapeText('\u1100'.repeat(3))).toBe('\u1100\\u{1100}\\u{1100}');
    // A mark after the escape would combine with it.
    expect(escapeText('\u1161\u1161\u0301')).toBe('\u1161\\u{1161}\\u{301}');
  });

  test('in strict ASCII, escapes every character above the tilde', () => {
    expect(escapeText('Grüße 😀\n', { ascii: true })).toBe('Gr\\u{fc}\\u{df}e \\u{1f600}\\n');
  });
});

describe('escaped bytes', () => {
  test.each([
    [[0x68, 0x69], 'hi'],
    [[0xff, 0x41, 0x80], '\\xffA\\x80'],
    [[0xc2, 0x80], '\\u{80}'],
    [[0xc3, 0xa9, 0xc3], 'é\\xc3'],
    [[0xc0, 0xaf], '\\xc0\\xaf'],
    [[0xed, 0xa0, 0x80], '\\xed\\xa0\\x80'],
    [[0xf4, 0x90, 0x80, 0x80], '\\xf4\\x90\\x80\\x80'],
    [[0xe2, 0x82, 0x41], '\\xe2\\x82A'],
    [[0xef, 0xbb, 0xbf, 0x41], '\\u{feff}A'],
    [[0xff, 0xcc, 0x81], '\\xff\\u{301}'],
  ])('shows the bytes %j as %j', (bytes, shown) => {
    expect(escapeBytes(Uint8Array.from(bytes))).toBe(shown);
  });

  test('shows valid text like escaped text', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        fc.pre(text.isWellFormed());
        expect(escapeBytes(new TextEncoder().encode(text))).toBe(escapeText(text));
      }),
    );
  });
});

describe('lines of a value', () => {
  test('end only at line feeds, and have their start offsets', () => {
    expect(escapeLines(Buffer.from('one\r\nzwei é\n\n\u202e'))).toEqual([
      { text: 'one\\r', start: 0 },
      { text: 'zwei é', start: 5 },
      { text: '', start: 13 },
      { text: '\\u{202e}', start: 14 },
    ]);
    expect(escapeLines(new Uint8Array())).toEqual([{ text: '', start: 0 }]);
  });
});

describe('runs of escaped text', () => {
  test('distinguish escapes from characters, even if an escape was cut', () => {
    expect(escapedRuns('a\\u{202e}\\nb')).toEqual([
      { text: 'a', escaped: false },
      { text: '\\u{202e}\\n', escaped: true },
      { text: 'b', escaped: false },
    ]);
    expect(escapedRuns('a\\u{20…')).toEqual([
      { text: 'a', escaped: false },
      { text: '\\u{20', escaped: true },
      { text: '…', escaped: false },
    ]);
    expect(escapedRuns(escapeText('\\u{41}'))).toEqual([
      { text: '\\\\', escaped: true },
      { text: 'u{41}', escaped: false },
    ]);
    expect(escapedRuns('')).toEqual([]);
  });

  test('form the escaped text when they are joined', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, length) => {
        const escaped = escapeText(text).slice(0, length);
        expect(
          escapedRuns(escaped)
            .map((span) => span.text)
            .join(''),
        ).toBe(escaped);
      }),
    );
  });
});

describe('unescaping', () => {
  test.each(['\\', '\\q', 'a\\x1', '\\u{110000}', '\\u{}', '\\u0041'])('rejects %j', (text) => {
    expect(() => unescapeText(text)).toThrow('Bad escape');
    expect(() => unescapeBytes(text)).toThrow('Bad escape');
  });

  test('rejects an escaped byte in a string, and half a character in bytes', () => {
    expect(() => unescapeText('\\xff')).toThrow('is a byte');
    expect(() => unescapeBytes('\\u{d800}')).toThrow('half of a character');
  });
});

describe('JSON for a terminal', () => {
  test('keeps line breaks and readable text', () => {
    expect(escapeJson('[\n  "é\u202e\u{e0041}"\n]')).toBe('[\n  "é\\u202e\\udb40\\udc41"\n]');
  });
});
