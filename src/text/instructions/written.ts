import type { Instructions } from '../../model/instructions/instructions.ts';
import { instructionsPage } from './page.ts';
import { instructionsMarkdown, instructionsText } from './plain.ts';

/** Forms in which instructions are handed to people. */
export const writtenFormats = ['txt', 'md', 'html'] as const;

export type WrittenFormat = (typeof writtenFormats)[number];

/** Instructions as people read them. */
export function writtenInstructions(format: WrittenFormat, instructions: Instructions): string {
  const write = { txt: instructionsText, md: instructionsMarkdown, html: instructionsPage }[format];
  return write(instructions);
}
