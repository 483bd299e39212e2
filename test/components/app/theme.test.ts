import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Role, type Style, type Theme, themes } from '../../../components/kit/theme.ts';

/** The 16 colours of xterm. */
const sixteen = [
  ['black', '000000'],
  ['red', 'cd0000'],
  ['green', '00cd00'],
  ['yellow', 'cdcd00'],
  ['blue', '0000ee'],
  ['magenta', 'cd00cd'],
  ['cyan', '00cdcd'],
  ['white', 'e5e5e5'],
  ['blackBright', '7f7f7f'],
  ['redBright', 'ff0000'],
  ['greenBright', '00ff00'],
  ['yellowBright', 'ffff00'],
  ['blueBright', '5c5cff'],
  ['magentaBright', 'ff00ff'],
  ['cyanBright', '00ffff'],
  ['whiteBright', 'ffffff'],
] as const;

type Rgb = readonly [red: number, green: number, blue: number];

function toRgb(colour: string): Rgb {
  const named = sixteen.find(([name]) => name === colour)?.[1];
  if (named !== undefined) {
    const part = (at: number) => Number.parseInt(named.slice(at, at + 2), 16);
    return [part(0), part(2), part(4)];
  }
  const number = Number(/^ansi256\((\d+)\)$/.exec(colour)?.[1]);
  if (!(number >= 16 && number <= 255)) throw new Error(`${colour} is not the same colour on every terminal`);
  if (number >= 232) return [8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10];
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  const at = number - 16;
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

interface Ground {
  readonly text: Rgb;
  readonly background: Rgb;
}

/** Default colours of a terminal: xterm, and xterm with `-rv`. */
const grounds = {
  dark: { text: toRgb('white'), background: toRgb('black') },
  light: { text: toRgb('black'), background: toRgb('whiteBright') },
} satisfies Record<string, Ground>;

function contrastRatio({ color, backgroundColor }: Style, { text, background }: Ground): number {
  return contrast(
    color === undefined ? text : toRgb(color),
    backgroundColor === undefined ? background : toRgb(backgroundColor),
  );
}

/** Below 4.5 text is hard to read (WCAG 2.2, 1.4.3), and below 3 other things are hard to see (1.4.11). */
function minContrast(role: Role): number {
  return role === 'border' ? 3 : 4.5;
}

function faint(theme: Theme, ground: Ground, wanted: (role: Role) => number = minContrast): string[] {
  return listRoles(theme)
    .map(([role, style]) => ({ role, is: contrastRatio(style, ground) }))
    .filter(({ role, is }) => is < wanted(role))
    .map(({ role, is }) => `${role}: ${is.toFixed(2)}`);
}

function listRoles(theme: Theme): [Role, Style][] {
  return Object.entries(theme) as [Role, Style][];
}

describe('every pair of colours has enough contrast in the palette of xterm', () => {
  test.each(['dark', 'light'] as const)('%s', (name) => {
    expect(faint(themes[name], grounds[name])).toEqual([]);
  });

  test.each(['dark', 'light'] as const)('high contrast, seven times, on a %s terminal', (ground) => {
    expect(faint(themes['high-contrast'], grounds[ground], () => 7)).toEqual([]);
  });
});

test('no theme uses the dim attribute, except without colours', () => {
  for (const name of ['dark', 'light', 'high-contrast'] as const) {
    expect(listRoles(themes[name]).filter(([, { dimColor }]) => dimColor)).toEqual([]);
  }
});

test('everything marked by a colour is also marked without colours, or by a word', () => {
  expect(listRoles(themes.mono).filter(([, { color, backgroundColor }]) => color ?? backgroundColor)).toEqual(
    [],
  );
  for (const theme of Object.values(themes)) {
    expect(theme.selected).toMatchObject({ inverse: true });
    expect(theme.cursor).toMatchObject({ inverse: true });
  }
  expect(themes.mono.production).toEqual({ bold: true, underline: true });
});

test('components take their colours only from the table of themes', () => {
  const names = sixteen.flatMap(([name]) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`]);
  const literal = new RegExp(
    String.raw`['"](?:${names.join('|')}|gr[ae]y|#[\da-f]{3,8}|(?:ansi256|rgb)\(.*)['"]|<Text[^>]* (?:bold|inverse|dimColor|underline)\b`,
  );
  const wrong = readdirSync('components', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== join('kit', 'theme.ts'))
    .flatMap((name) =>
      readFileSync(join('components', name), 'utf8')
        .split('\n')
        .filter((line) => literal.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line))
        .map((line) => `components/${name}: ${line.trim()}`),
    );
  expect(wrong).toEqual([]);
});
