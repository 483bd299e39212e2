import { Box, Text } from 'ink';
import { minScreen } from './layout.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Draws the message that replaces the console on a screen that is too small for panes. */
export function TooSmall(screen: Size) {
  return (
    <Box flexDirection="column" width={screen.columns} height={screen.rows} overflow="hidden">
      {tooSmallLines(screen).map((line) => (
        <Text key={line} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  );
}

/** Returns the lines with the required size and how to quit, in the longest form that fits. Does not split words. */
export function tooSmallLines({ columns, rows }: Size): string[] {
  const needed = `${minScreen.columns}x${minScreen.rows}`;
  const has = `${columns}x${rows}`;
  const forms = [
    `The console needs ${needed}; this is ${has}. Press Ctrl-C to quit.`,
    `Needs ${needed}; has ${has}. Ctrl-C to quit.`,
    `Needs ${needed}; has ${has}`,
    `Needs ${needed}`,
    needed,
  ].map((form) => wrapWords(form, columns));
  const fitting = forms.find(
    (lines) => lines.length <= rows && lines.every((line) => line.length <= columns),
  );
  return fitting ?? [needed];
}

/** Wraps a string at words. Each line contains as many words as fit. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
