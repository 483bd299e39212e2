import fc from 'fast-check';
import { expect, test } from 'vitest';
import Frame from '../../../../components/kit/terminal/ink/output.ts';
import sanitizeAnsi from '../../../../components/kit/terminal/ink/sanitize-ansi.ts';
import widestLine from '../../../../components/kit/terminal/ink/widest-line.ts';
import InkOutput from '../../../../node_modules/ink/build/output.js';
import { Screen } from '../../../support/screen.ts';

const size = { columns: 30, rows: 6 };
const plain = { transformers: [] };

type Output = InkOutput | Frame;

/** Returns the cells of a screen after drawing a frame. */
async function drawCells(draw: (output: Output) => void, output: Output) {
  draw(output);
  const screen = new Screen(size);
  const { output: text, height } = output.get();
  await new Promise<void>((resolve) => screen.write(`\u001b[?7l${text}`, resolve));
  const lines = Array.from({ length: height }, (_, row) => screen.stretches(row));
  return {
    lines: screen.lines().map((line) => line.trimEnd()),
    styles: lines.map((line) => line.filter(({ text: one }) => one.trim() !== '')),
  };
}

async function expectSame(draw: (output: Output) => void) {
  const options = { width: size.columns, height: size.rows };
  expect(await drawCells(draw, new Frame(options))).toEqual(await drawCells(draw, new InkOutput(options)));
}

const blue = (text: string) => `\u001b[34m${text}\u001b[39m`;
const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;

test('draws panels next to each other like Ink', async () => {
  await expectSame((output) => {
    output.write(0, 0, blue('╭── title ──╮'), plain);
    output.write(0, 1, `${blue('│')}\n${blue('│')}`, plain);
    output.write(12, 1, `${blue('│')}\n${blue('│')}`, plain);
    output.clip({ x1: undefined, x2: undefined, y1: 1, y2: 3 });
    output.write(2, 1, bold('first'), plain);
    output.write(2, 2, 'second', { transformers: [bold] });
    output.write(2, 3, 'beyond', plain);
    output.unclip();
    output.write(14, 2, '日本語', plain);
  });
});

test('draws later text over earlier text, and cuts text at the clipping region', async () => {
  await expectSame((output) => {
    output.write(0, 0, '─'.repeat(30), plain);
    output.write(4, 0, bold(' notice '), plain);
    output.clip({ x1: 3, x2: 8, y1: 0, y2: 4 });
    output.write(0, 1, blue('0123456789'), plain);
    output.write(2, 2, '日本語日本語', plain);
    output.unclip();
    output.write(25, 3, 'leaves the screen', plain);
    output.write(0, 4, bold('a style\nover two lines'), plain);
  });
});

test('draws the same as Ink for any string at any position', async () => {
  const word = fc.stringMatching(/^[a-z ]{1,12}$/);
  const text = fc.oneof(
    word,
    word.map(blue),
    word.map(bold),
    word.map((one) => blue(bold(one))),
    fc.constant('日本'),
    fc.constant('e\u0301x'),
  );
  const write = fc.record({ x: fc.integer({ min: 0, max: 29 }), y: fc.integer({ min: 0, max: 5 }), text });
  const clip = fc.record({
    x1: fc.integer({ min: 0, max: 15 }),
    x2: fc.integer({ min: 10, max: 30 }),
    y1: fc.integer({ min: 0, max: 3 }),
    y2: fc.integer({ min: 2, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 8 }),
      clip,
      fc.array(write, { maxLength: 4 }),
      async (free, bounds, inside) => {
        await expectSame((output) => {
          for (const one of free) output.write(one.x, one.y, one.text, plain);
          output.clip(bounds);
          for (const one of inside) output.write(one.x, one.y, one.text, plain);
          output.unclip();
        });
      },
    ),
    { numRuns: 60 },
  );
}, 30_000);

test('caches the sanitized form and the width of a string', () => {
  const text = `${blue('one')}\n\u001b[2Jlonger\u0007`;
  expect([sanitizeAnsi(text), sanitizeAnsi(text)]).toEqual(Array(2).fill(`${blue('one')}\nlonger`));
  expect([widestLine(text), widestLine(text), widestLine('')]).toEqual([6, 6, 0]);
});
