import { formatSize } from '../../../src/text/size.ts';

/** Maximum number of bytes in one OSC 52 sequence: xterm's limit of 100,000 characters, minus the characters around the data. */
export const maxClipboardBytes = 74_994;

/** Returns the sequence that copies bytes to the terminal's clipboard; undefined for more than `maxClipboardBytes`. */
export function clipboardSequence(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxClipboardBytes) return undefined;
  return `\u001b]52;c;${Buffer.from(bytes).toString('base64')}\u0007`;
}

/** Returns the notice that bytes were copied, or that there are too many bytes to copy. */
export function copyNotice(bytes: Uint8Array, what: string): string {
  const size = formatSize(bytes.length);
  return bytes.length > maxClipboardBytes
    ? `Not copied: ${what} is ${size}, more than the ${formatSize(maxClipboardBytes)} that a terminal's clipboard accepts.`
    : `Copied ${what} (${size}) to the terminal's clipboard.`;
}
