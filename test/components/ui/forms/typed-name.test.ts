import { expect, test } from 'vitest';
import { editableName, isTypedName, typedFormLines } from '../../../../components/ui/forms/typed-name.ts';
import { hostileTexts } from '../../../terminal/hostile.ts';

const names = [
  ['ESC and BEL', '\u001b]0;x\u0007', '<U+001B>]0;x<U+0007>'],
  ['a reading direction', 'a\u202eb', 'a<U+202E>b'],
  ['ZWJ', '👩\u200d👧', '👩<U+200D>👧'],
  ['a line feed and a tab', 'a\nb\tc', 'a<U+000A>b<U+0009>c'],
  ['NUL', 'a\0', 'a<U+0000>'],
  ['lone surrogates', '\ud83d \udcff', '<U+D83D> <U+DCFF>'],
  ['a backslash', 'C:\\temp', 'C:\\temp'],
  ['wide characters', '日本', '日本'],
  ['a stored mark', '<U+202E>', '<U+202E>'],
] as const;

test.each(names)('requires a name with %s, written so that it can be typed', (_, name, typed) => {
  expect(isTypedName(typed, name)).toBe(true);
  // The name itself is accepted, because it can be pasted.
  expect(isTypedName(name, name)).toBe(true);
  for (const wrong of ['', undefined, `${typed} `, typed.slice(0, -1), typed.replaceAll('<U+', '<u+')])
    expect(isTypedName(wrong, name)).toBe(wrong === typed);
  expect(typedFormLines(name)).toEqual(typed === name ? [] : [`Type the name as: ${typed}`]);
  expect(editableName(name)).toBe(typed === name ? name : '');
});

test('uses only keyboard characters in the text to type, regardless of the name', () => {
  for (const [about, name] of hostileTexts) {
    const [line = ''] = typedFormLines(name);
    expect(line, about).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    if (line !== '') expect(isTypedName(line.slice('Type the name as: '.length), name), about).toBe(true);
  }
});
