// Reports words that docs/glossary.md asks to avoid, each with what to write instead. The list is only a reminder, so
// the exit code is always 0.
//
//   node build/words.mjs [PATH ...]                        each place, in all files or in those below the paths
//   node build/words.mjs --summary                         one line, for `npm run lint`
//   node build/words.mjs --rate                            places per 1,000 words of comments, strings and documents
//   node build/words.mjs --sample comments 200 --seed 27   a random sample of sentences for a reader to judge

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { habitsIn, textFiles, textsIn, wordsIn } from './words/texts.mjs';

const kinds = ['comments', 'strings', 'documents'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    summary: { type: 'boolean' },
    rate: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const [count, ...paths] = values.sample === undefined ? [undefined, ...positionals] : positionals;
const texts = textFiles(paths).flatMap((file) => textsIn(file, readFileSync(file, 'utf8')));
const found = texts.flatMap((text) => habitsIn(text).map((habit) => ({ ...text, ...habit })));

if (values.sample !== undefined) {
  for (const { file, line, text } of sample(values.sample, Number(count), Number(values.seed))) {
    console.log(`${file}:${line}: ${text}`);
  }
} else if (values.rate) {
  for (const kind of kinds) {
    const words = texts
      .filter((text) => text.kind === kind)
      .reduce((sum, { text }) => sum + wordsIn(text), 0);
    const habits = found.filter((text) => text.kind === kind).length;
    const rate = ((1000 * habits) / words).toFixed(2);
    console.log(`${kind}: ${habits} in ${words} words, ${rate} per 1,000`);
  }
} else if (values.summary) {
  if (found.length > 0) console.log(`${found.length} words to replace: node build/words.mjs lists them.`);
} else {
  for (const { file, line, words, instead } of found) console.log(`${file}:${line}: "${words}": ${instead}`);
  console.log(`${found.length} words to replace.`);
}

/** Returns a random sample of sentences of a kind. The same seed returns the same sentences as long as no sentence changes. */
function sample(kind, size, seed) {
  const sentences = texts.filter((text) => text.kind === kind);
  let state = seed;
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: Math.min(size, sentences.length) }, () =>
    sentences.splice(Math.floor(random() * sentences.length), 1).at(0),
  );
}
