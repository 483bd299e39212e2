import { hostileTexts } from '../../terminal/hostile.ts';
import type { Chance } from '../worlds/chance.ts';

/** Names that some program may treat as paths, encodings, numbers, flags or formulas. */
const names = [
  '../',
  '..%2f',
  '%2e%2e/',
  '/../../etc/passwd',
  './.',
  '...',
  '//',
  'a//b/',
  '/',
  '\\',
  'C:\\x',
  '%',
  '%00',
  '%2F',
  '%252f',
  '%zz',
  '%C0%AE',
  '+',
  ' ',
  '&a=b',
  '?a',
  '#a',
  ';a',
  ':a',
  '@a',
  '=1+1',
  '-',
  '--yes',
  '--local',
  '*',
  '[a-z]',
  '{a}',
  '$HOME',
  '`id`',
  '"',
  "'",
  ',',
  '\t',
  '\r\n',
  '\n',
  '\0',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '0',
  '00',
  '1e3',
  '-0',
  '~',
  '<b>',
  '&amp;',
  '\u{10ffff}',
  '\uffff',
  '\ufdd0',
  '\ue000',
];

/**
 * Functions that change a word to a similar one: with look-alike letters, in another case or normal form, or with additional invisible
 * characters.
 */
const confusables: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.replaceAll('a', '\u0430'),
  (word) => word.replaceAll('e', '\u0435'),
  (word) => word.replaceAll('o', '\u03bf'),
  (word) => word.toUpperCase(),
  (word) => word.normalize('NFD'),
  (word) => word.normalize('NFC'),
  (word) => `${word} `,
  (word) => ` ${word}`,
  (word) => `${word}\u00a0`,
  (word) => word.replace('', '\u200b'),
  (word) => `${word}\ufeff`,
  (word) => `${word}\0`,
  (word) => `\u202e${word}`,
  (word) => word.replaceAll('i', '\u0131'),
  (word) => word.replaceAll('k', '\u212a'),
  (word) => [...word].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
];

function anyText(chance: Chance, length: number): string {
  const code = (): number => {
    const end = chance.pick([0x20, 0x80, 0x800, 0x1_0000, 0x11_0000]);
    const point = chance.below(end);
    return point >= 0xd800 && point < 0xe000 ? point - 0x800 : point;
  };
  return String.fromCodePoint(...Array.from({ length }, code));
}

/** Cuts a string to exactly this many bytes of UTF-8; if the cut would split a character, letters fill the end. */
function ofBytes(text: string, bytes: number): string {
  let cut = '';
  let length = 0;
  for (const character of text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))) {
    const more = Buffer.byteLength(character);
    if (length + more > bytes) break;
    cut += character;
    length += more;
  }
  return cut + 'x'.repeat(bytes - length);
}

/** Returns distinct keys that the specification accepts, but that some programs might reject. */
export function hostileKeys(chance: Chance, count: number): string[] {
  const keys = new Set<string>();
  const words = ['naïve café', 'paypal', 'index', 'token', 'Ångström', 'İstanbul', 'straße'];
  const kinds: readonly ((at: number) => string)[] = [
    (at) => `${at}${chance.pick(hostileTexts)[1]}${at}`,
    () => anyText(chance, 1 + chance.below(40)),
    (at) => chance.pick(confusables)(`${chance.pick(words)} ${at % 1000}`),
    (at) => `${chance.pick(names)}${at}`,
    (at) => `${at}${chance.pick(names)}`,
    () => `${chance.pick(names)}${chance.pick(names)}${chance.pick(names)}`,
    (at) => ofBytes(`${at}${anyText(chance, 20)}`, chance.pick([510, 511, 512])),
    (at) => 'a'.repeat(1 + (at % 300)),
  ];
  for (const name of names) keys.add(name);
  for (let at = 0; keys.size < count; at += 1) {
    const key = chance.pick(kinds)(at);
    const bytes = Buffer.byteLength(key);
    if (bytes > 0 && bytes <= 512 && key !== '.' && key !== '..') keys.add(key);
  }
  return [...keys].slice(0, count);
}
