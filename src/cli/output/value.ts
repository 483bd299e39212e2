import { escapeLines, escapeText } from '../../text/escape.ts';
import type { Output } from './output.ts';

/** Converts a value for a JSON answer: to text if it is UTF-8 (or `lossy` is set), otherwise to base64. */
export function textOrBase64(bytes: Uint8Array, lossy: boolean): { value: string; base64?: true } {
  const text = Buffer.from(bytes).toString('utf8');
  if (lossy || Buffer.from(text).equals(bytes)) return { value: text };
  return { value: Buffer.from(bytes).toString('base64'), base64: true };
}

/**
 * Prints a value on a terminal. Escapes a value that contains more than plain text, because the terminal would interpret control
 * characters.
 */
export async function answerToTerminal(output: Output, bytes: Uint8Array): Promise<void> {
  const harmless = Buffer.from(bytes)
    .toString('utf8')
    .replace(/\r?\n|[\t\\]/g, '');
  if (escapeText(harmless) === harmless && !harmless.includes('\ufffd')) {
    await output.answer(bytes);
    return;
  }
  output.note(
    'The value contains control characters and is shown escaped; pipe the output to get the bytes.',
  );
  const shown = escapeLines(bytes).map((line) => line.text);
  await output.answer(`${shown.join('\n')}\n`);
}
