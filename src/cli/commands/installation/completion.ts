import { Problem } from '../../../model/problem.ts';
import { escapeText } from '../../../text/escape.ts';
import { type Candidate, filterByPrefix, offerAt } from '../../completion/candidates.ts';
import { listNames } from '../../completion/names.ts';
import { scripts, shells } from '../../completion/shells.ts';
import { type Context, command } from '../../parsing/command.ts';
import { readCommandLine } from '../../parsing/command-line.ts';
import type * as declared from './declarations.ts';

export const completionCommand = command<typeof declared.completion>({
  async run(context, { args }) {
    const { SHELL: name, WORD: words = [] } = args;
    if (name === 'words') return offerWords(context, words);
    const shell = shells.find((one) => one === name);
    if (shell === undefined) {
      throw new Problem('usage', `No completion script for "${name}".`, {
        hint: `Supported shells: ${shells.join(', ')}.`,
      });
    }
    await context.output.answer(scripts[shell]);
    return 0;
  },
});

async function offerWords(context: Context, words: readonly string[]): Promise<number> {
  const offer = offerAt(words, context.commands);
  if (offer.kind === 'files') await context.output.answer(':files\n');
  if (offer.kind === 'words') await answer(context, offer.words);
  if (offer.kind === 'names') {
    const line = readCommandLine(words.slice(0, -1), context.commands);
    const names = await listNames(context.world, offer.of, line, context.run).catch(() => []);
    const shown = names.map(({ word, about }) => ({ word: offer.before + word, about }));
    const fitting = filterByPrefix(words.at(-1) ?? '', shown);
    if (fitting.kind === 'words') await answer(context, fitting.words);
  }
  return 0;
}

/**
 * Returns whether shells and terminals treat the word as plain text. The Unicode classes take a millisecond to compile, so ASCII is tried
 * first.
 */
function isInert(word: string): boolean {
  return /^[\w.:/@=+%,-]+$/.test(word) || /^[\p{L}\p{N}._:/@=+%,-]+$/u.test(word);
}

/**
 * Prints the candidates, except words with characters that a shell or a terminal might interpret. Users can still type such words in quotes.
 */
async function answer({ output }: Context, words: readonly Candidate[]): Promise<void> {
  const inert = words.filter(({ word }) => isInert(word));
  const lines = inert.map(({ word, about }) => `${word}\t${escapeText(about).replaceAll('\t', ' ')}\n`);
  // Without candidates nothing is written, because writing even an empty string would open the stream.
  if (lines.length > 0) await output.answer(lines.join(''));
}
