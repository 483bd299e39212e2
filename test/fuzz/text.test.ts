import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { columnsFault, lineOfCells, lineOfValue } from '../../src/model/hostnames/lines.ts';
import { isProblem } from '../../src/model/problem.ts';
import { escapeBytes, escapedRuns, escapeLines, escapeText } from '../../src/text/escape.ts';
import { globMatcher } from '../../src/text/glob.ts';
import { jsonText, prettyJson } from '../../src/text/json.ts';
import { markBytes, markedRuns, markText } from '../../src/text/mark.ts';
import { redactUrl } from '../../src/text/redact.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { compactDuration, parseDuration, relativeTime } from '../../src/text/time.ts';
import { fitText, measureCharacter, pad } from '../../src/text/width.ts';
import { readCsv } from '../support/read-csv.ts';
import { unescapeBytes, unescapeText } from '../support/unescape.ts';
import { anyBytes, anyText, cost, fuzz, mutated, prototypeNames } from './fuzz.ts';

/** Everything that a terminal could interpret, or that could mislead a reader. */
const unsafe = /[^\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{M}{5}|^\p{M}/u;

fuzz('shows any string harmlessly and reversibly', [anyText, fc.boolean()], (text, ascii) => {
  const shown = escapeText(text, { ascii });
  expect(shown).not.toMatch(ascii ? /[^ -~]/ : unsafe);
  expect(unescapeText(shown)).toBe(text);
  expect(
    escapedRuns(shown)
      .map((span) => span.text)
      .join(''),
  ).toBe(shown);
});

fuzz('shows any bytes harmlessly and reversibly', [anyBytes, fc.boolean()], (bytes, ascii) => {
  const shown = escapeBytes(bytes, { ascii });
  expect(shown).not.toMatch(ascii ? /[^ -~]/ : unsafe);
  expect(Buffer.from(unescapeBytes(shown)).equals(bytes)).toBe(true);
  const lines = escapeLines(bytes, { ascii }).map((line) =>
    Buffer.from(unescapeBytes(line.text)).toString('latin1'),
  );
  expect(lines.join('\n')).toBe(bytes.toString('latin1'));
});

fuzz('marks any bytes harmlessly, and nothing stored is mistaken for a mark', [anyBytes], (bytes) => {
  const runs = markedRuns(markBytes(bytes));
  expect(runs.map(({ text }) => text).join('')).not.toMatch(unsafe);
  // Each run is checked separately: joined without the marks between the runs, two Hangul letters would form one syllable.
  for (const { text, marked } of runs) if (!marked) expect(markText(text)).toBe(text);
});

const escapeLike = fc.string({
  unit: fc.constantFrom('\\', 'u', 'x', '{', '}', 'n', 'e', 'q', 'f', '0', 'D', '8', 'é', '\n'),
});

fuzz('parses text that looks like escapes, or rejects it with a message', [escapeLike], (text) => {
  for (const read of [unescapeText, unescapeBytes]) {
    try {
      read(text);
    } catch (error) {
      expect(isProblem(error) && error.code).toBe('invalid-input');
    }
  }
});

fuzz('fits any string into any width', [anyText, fc.integer({ min: -2, max: 40 })], (text, width) => {
  const shown = escapeText(text).slice(0, 400);
  const fitted = fitText(shown, width);
  expect(measureCharacter(fitted)).toBeLessThanOrEqual(Math.max(0, width));
  if (measureCharacter(shown) <= width) expect(fitted).toBe(shown);
  expect(measureCharacter(pad(shown, width))).toBe(Math.max(0, width));
});

const deepJson = fc.nat(300).map((depth) => Buffer.from(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`));
const jsonBytes = fc.oneof(mutated(fc.json().map((text) => Buffer.from(text))), anyBytes, deepJson);

fuzz(
  'formatting JSON does not change its value, and leaves other strings unchanged',
  [jsonBytes],
  (bytes) => {
    const pretty = prettyJson(bytes, 100_000);
    if (pretty === undefined) return;
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    expect(JSON.parse(strict.decode(pretty))).toEqual(JSON.parse(strict.decode(bytes)));
  },
);

fuzz('JSON for a terminal has the same value, and is harmless', [fc.jsonValue(), anyText], (value, text) => {
  const json = jsonText({ value, [text]: text }, 2);
  expect(json).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })));
});

const globPart = fc.constantFrom('*', '?', 'a', 'b', ':', '{a,b}', '{a*,b?}', '[ab]', '[^a]', '.', '\\*');
const globLike = fc.array(globPart, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));

fuzz(
  'a pattern matches the same names as in another pattern parser',
  [
    globLike,
    fc.array(fc.string({ unit: fc.constantFrom(...'ab:-*'), minLength: 1, maxLength: 6 }), { maxLength: 8 }),
  ],
  (glob, names) => {
    const other = picomatch(glob, { bash: true, dot: true, nonegate: true });
    expect(names.filter(globMatcher(glob))).toEqual(names.filter((name) => other(name)));
  },
);

fuzz('accepts or rejects any pattern, and matches no name slowly', [anyText, anyText], (glob, name) => {
  try {
    expect(cost(() => globMatcher(glob)(name.slice(0, 512)))).toBeLessThan(2000);
  } catch (error) {
    expect(isProblem(error) && error.code).toBe('invalid-input');
  }
});

const durationLike = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789wdhms -.e'), maxLength: 50 }),
  fc
    .tuple(fc.bigInt({ min: 0n }), fc.constantFrom('', 'w', 'd', 'h', 'm', 's'))
    .map((parts) => parts.join('')),
  anyText,
);

fuzz('parses a duration as whole seconds, or rejects it with a message', [durationLike], (text) => {
  try {
    const seconds = parseDuration(text, '--ttl');
    expect(Number.isSafeInteger(seconds) && seconds >= 0).toBe(true);
    if (/^\d+$/.test(text)) expect(seconds).toBe(Number(text));
  } catch (error) {
    expect(isProblem(error) && error.message).toContain('--ttl: ');
  }
});

const units = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };
const parts = fc.record({
  w: fc.option(fc.nat(999)),
  d: fc.option(fc.nat(999)),
  h: fc.option(fc.nat(999)),
  m: fc.option(fc.nat(999)),
  s: fc.option(fc.nat(999)),
});

fuzz('a duration in units is their sum', [parts], (lengths) => {
  const given = Object.entries(lengths).filter(([, length]) => length !== null);
  const text = given.map(([unit, length]) => `${length}${unit}`).join('');
  const sum = given.reduce(
    (all, [unit, length]) => all + units[unit as keyof typeof units] * (length ?? 0),
    0,
  );
  if (text !== '') expect(parseDuration(text)).toBe(sum);
});

fuzz(
  'formats any number as a size and a duration',
  [fc.oneof(fc.double({ noNaN: true }), fc.maxSafeNat(), fc.integer())],
  (number) => {
    for (const words of [formatSize(Math.abs(number)), compactDuration(number), relativeTime(number)]) {
      expect(words).toMatch(/^[ -~]+$/);
      expect(words).not.toMatch(/undefined|NaN|null/);
    }
    if (Number.isSafeInteger(number))
      expect(Number(groupDigits(number).replaceAll(',', ''))).toBe(number + 0);
  },
);

const cell = fc.oneof(fc.string({ unit: fc.constantFrom(...'ab,;"\n\r x\u00e9'), maxLength: 6 }), anyText);
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

fuzz(
  'reads every CSV table that was written by the rules',
  [table, fc.constantFrom(',', ';'), fc.constantFrom('\n', '\r\n', '\r')],
  (records, comma, end) => {
    const text = records.map((fields) => fields.map(quoted).join(comma) + end).join('');
    const read = readCsv(text);
    expect(read.wrongLine).toBeUndefined();
    expect(read.records.map(({ fields }) => fields)).toEqual(
      records.filter((fields) => fields.some((field) => field !== '')),
    );
  },
);

const csvLike = fc.oneof(fc.string({ unit: fc.constantFrom(...'ab,;"\n\r x') }), anyText);

fuzz('reads any CSV like a second implementation of RFC 4180', [csvLike], (text) => {
  expect(readCsv(text)).toEqual(secondReading(text));
});

/** Reads RFC 4180 character by character, with edgectl's extensions: the first delimiter applies to the whole text. */
function secondReading(text: string): ReturnType<typeof readCsv> {
  const records: { line: number; fields: string[] }[] = [];
  let at = 0;
  let line = 1;
  let delimiters = ',;';
  while (at < text.length) {
    const record = { line, fields: [] as string[] };
    for (let more = true; more; ) {
      const begun = line;
      const inQuotes = text[at] === '"';
      let field = '';
      if (inQuotes) at += 1;
      for (; at < text.length; at += 1) {
        const character = text[at] ?? '';
        if (inQuotes && character === '"') {
          if (text[at + 1] !== '"') break;
          at += 1;
        } else if (!inQuotes && `"\r\n${delimiters}`.includes(character)) break;
        if (inQuotes && (character === '\n' || (character === '\r' && text[at + 1] !== '\n'))) line += 1;
        field += character;
      }
      if (inQuotes) {
        if (text[at] !== '"') return { records, wrongLine: begun };
        at += 1;
      }
      if (at < text.length && !`\r\n${delimiters}`.includes(text[at] ?? ''))
        return { records, wrongLine: begun };
      record.fields.push(inQuotes ? field : field.trim());
      more = at < text.length && delimiters.includes(text[at] ?? '');
      if (more) delimiters = text[at] ?? '';
      at += text.startsWith('\r\n', at) ? 2 : 1;
      if (!more && at <= text.length) line += 1;
    }
    if (record.fields.some((field) => field !== '')) records.push(record);
  }
  return { records };
}

const column = fc.oneof(
  fc.constantFrom('method', 'wildcard', 'origin', 'metadata.plan', ...prototypeNames),
  anyText.map((name) => `metadata.${name}`),
);

fuzz(
  'a column is known or rejected, and every metadata cell is kept',
  [fc.uniqueArray(column, { maxLength: 4 }), anyText],
  (columns, cell) => {
    fc.pre(cell !== '');
    const fault = columnsFault(['hostname', ...columns]);
    const unknown = columns.filter(
      (name) => prototypeNames.some((one) => one === name) || name === 'metadata.',
    );
    expect(fault === undefined).toBe(unknown.length === 0);
    const members = columns.filter((name) => /^metadata\../s.test(name));
    const line = lineOfCells(['hostname', ...members], ['a.example.com', ...members.map(() => cell)]);
    if ('reason' in line) throw new Error(line.reason);
    const saved = Object.entries(line.metadata ?? {});
    expect(new Map(saved)).toEqual(new Map(members.map((name) => [name.slice('metadata.'.length), cell])));
  },
);

fuzz(
  'any cells and values give a hostname with its settings, or an error message',
  [fc.array(anyText, { minLength: 1, maxLength: 5 }), fc.jsonValue()],
  (cells, value) => {
    for (const line of [
      lineOfCells(['hostname', 'method', 'wildcard', 'metadata.x', 'tls'], cells),
      lineOfValue(value),
    ]) {
      if ('reason' in line) expect(line.reason).toMatch(/./);
      else expect(line.hostname).toEqual(expect.any(String));
    }
  },
);

fuzz(
  'never shows a credential in an address',
  [anyText, fc.stringMatching(/^[a-z0-9]{12}$/)],
  (text, secret) => {
    const within = text.replace(/[/?#@&=]/g, '').slice(0, 200);
    expect(redactUrl(`https://${within}:${secret}@example.com/`)).not.toContain(secret);
    expect(redactUrl(`https://example.com/?x=${within}&token=${secret}`)).not.toContain(secret);
  },
);

test('parses repetitive text in linear time', () => {
  const repeated = [
    '"',
    '\\',
    '\\u{',
    '"a""',
    ',',
    '1d',
    '\n',
    '\u0301',
    '\u1100',
    '?a=',
    'https://',
    '[',
    ' ',
    '@',
  ];
  for (const unit of repeated) {
    const text = unit.repeat(100_000);
    const reading = () => {
      readCsv(text);
      escapeText(text);
      escapeBytes(Buffer.from(text));
      redactUrl(text);
      redactUrl(`https://${text}`);
      fitText(escapeText(text), 80);
      prettyJson(Buffer.from(text));
      try {
        parseDuration(text);
        unescapeText(text);
      } catch (error) {
        if (!isProblem(error)) throw error;
      }
    };
    expect(cost(reading), JSON.stringify(unit)).toBeLessThan(3000);
  }
});
