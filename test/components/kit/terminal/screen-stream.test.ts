import { expect, test } from 'vitest';
import { ScreenStream } from '../../../../components/kit/terminal/screen-stream.ts';
import { openMemoryTerminal } from '../../../support/screen.ts';

test('the first frame starts in the corner and does not wrap, regardless of the cursor position and the width of a glyph', async () => {
  const { screen, stdout } = openMemoryTerminal({ columns: 10, rows: 4 });
  const stream = new ScreenStream(stdout);
  stdout.write('$ edgectl\r\nasking…');
  stream.write('\u001b[?1049h');
  stream.write('one, and too wide\ntwo\nthree');
  await new Promise<void>((resolve) => void stdout.write('', () => resolve()));
  expect(screen.lines()).toEqual(['one, and e', 'two', 'three', '']);
});

test('erases earlier content with the first frame if the terminal has no alternate screen', async () => {
  const { screen, stdout } = openMemoryTerminal({ columns: 20, rows: 3 });
  const stream = new ScreenStream(stdout);
  // Writes text before the first frame, as on a terminal without an alternate screen.
  stdout.write('\u001b[?1049hthe shell of before\r\n$ edgectl console');
  stream.write('\u001b[?1049h');
  stream.write('one\ntwo\nthree');
  await new Promise<void>((resolve) => void stdout.write('', () => resolve()));
  expect(screen.lines()).toEqual(['one', 'two', 'three']);
});
