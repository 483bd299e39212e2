import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceRoles } from '../../../components/comparison/difference-list.ts';
import { outcomeRoles } from '../../../components/hostnames/columns.ts';
import { forecastRoles } from '../../../components/hostnames/forecast/forecast-list.ts';
import { planRoles } from '../../../components/hostnames/plan/plan-list.ts';
import { dangerStyles } from '../../../components/kit/danger.ts';
import { followsBackground } from '../../../components/kit/terminal/background.ts';
import {
  dimTheme,
  meanings,
  type Role,
  resolveTheme,
  type Style,
  type Theme,
  themes,
} from '../../../components/kit/theme.ts';
import { severityRoles } from '../../../components/kit/tones.ts';
import { stateRoles } from '../../../components/ui/tasks/words.ts';

/** The 16 colors of xterm. */
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

/** Returns the relative luminance of a color, as defined in WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, as defined in WCAG 2.2. */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

interface Ground {
  readonly text: Rgb;
  readonly background: Rgb;
}

/** Default colors of a terminal: xterm, and xterm with `-rv`. */
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

/**
 * Returns the minimum contrast of a role. Below 4.5, text is hard to read (WCAG 2.2, 1.4.3), and below 3, other elements are hard to see
 * (1.4.11). A grid is decoration, which 1.4.11 exempts.
 */
function minContrast(role: Role): number {
  return role === 'grid' ? 1.5 : role === 'border' ? 3 : 4.5;
}

/** Every theme for dark and for light backgrounds. */
const allThemes = Object.entries(themes).flatMap(([name, { onDark, onLight }]) => [
  { name: `${name} on dark`, theme: onDark },
  { name: `${name} on light`, theme: onLight },
]);

function faint(theme: Theme, ground: Ground, wanted: (role: Role) => number = minContrast): string[] {
  return listRoles(theme)
    .map(([role, style]) => ({ role, is: contrastRatio(style, ground) }))
    .filter(({ role, is }) => is < wanted(role))
    .map(({ role, is }) => `${role}: ${is.toFixed(2)}`);
}

function listRoles(theme: Theme): [Role, Style][] {
  return Object.entries(theme) as [Role, Style][];
}

describe('every pair of colors', () => {
  test.each(['dark', 'light'] as const)('has enough contrast in the palette of xterm: %s', (name) => {
    expect(faint(resolveTheme(name, { isLight: false }), grounds[name])).toEqual([]);
  });

  test.each(['dark', 'light'] as const)(
    'reaches a contrast of at least 7 with the high-contrast theme on a %s terminal',
    (ground) => {
      const theme = resolveTheme('high-contrast', { isLight: ground === 'light' });
      expect(faint(theme, grounds[ground], () => 7)).toEqual([]);
    },
  );
});

test('no theme uses the dim attribute, except without colors', () => {
  for (const { name, theme } of allThemes) {
    if (!name.startsWith('mono')) expect(listRoles(theme).filter(([, { dimColor }]) => dimColor)).toEqual([]);
  }
});

const mono = resolveTheme('mono', { isLight: false });

test('everything that a color marks is also marked by a sign, a style or a word', () => {
  expect(listRoles(mono).filter(([, { color, backgroundColor }]) => color ?? backgroundColor)).toEqual([]);
  for (const { theme } of allThemes) {
    expect(theme.selected).toMatchObject({ inverse: true });
    expect(theme.cursor).toMatchObject({ inverse: true });
  }
  expect(mono.production).toEqual({ bold: true, underline: true });
});

/**
 * Returns the color that a reader sees: the background of a badge, or the color of other text. Returns undefined for the terminal's default
 * color.
 */
function visibleColor({ color, backgroundColor }: Style): string | undefined {
  return backgroundColor ?? color;
}

test.each(allThemes)('gives each color one meaning in $name', ({ theme }) => {
  const meaningOf = new Map<string, Set<string>>();
  for (const [meaning, roles] of Object.entries(meanings)) {
    for (const role of roles) {
      const color = visibleColor(theme[role]);
      if (color !== undefined) meaningOf.set(color, (meaningOf.get(color) ?? new Set()).add(meaning));
    }
  }
  expect([...meaningOf].filter(([, of]) => of.size > 1)).toEqual([]);
});

test('lists the meaning of every role that has a color', () => {
  const listed = new Set<string>(Object.values(meanings).flat());
  const colored = allThemes.flatMap(({ theme }) =>
    listRoles(theme).filter(([, style]) => visibleColor(style)),
  );
  expect(colored.map(([role]) => role).filter((role) => !listed.has(role))).toEqual([]);
});

describe.each(allThemes)('the styles of danger levels in $name', ({ theme }) => {
  const isBar = (role: Role) => theme[role].backgroundColor !== undefined || theme[role].inverse === true;

  test('draws a bar only for a permanent loss', () => {
    expect(isBar(dangerStyles.permanent.rule.role)).toBe(true);
    expect(dangerStyles.permanent.rule.shape).toBe('bar');
    for (const danger of ['undoable', 'change'] as const)
      expect(dangerStyles[danger].rule.shape).toBe('line');
  });

  test('draws the separator line and the title of each danger level in different styles', () => {
    const steps = Object.values(dangerStyles).map(({ rule, title }) =>
      JSON.stringify([rule.shape, rule.words, theme[rule.role], theme[title]]),
    );
    expect(new Set(steps).size).toBe(3);
    expect(theme[dangerStyles.change.rule.role].backgroundColor).toBeUndefined();
  });
});

test.each(['dark', 'light'] as const)(
  'high contrast draws secondary text with less contrast on a %s terminal',
  (ground) => {
    const theme = resolveTheme('high-contrast', { isLight: ground === 'light' });
    for (const role of ['dim', 'border', 'grid'] as const)
      expect(contrastRatio(theme[role], grounds[ground])).toBeLessThan(
        contrastRatio({}, grounds[ground]) * 0.6,
      );
    expect(theme.dim.bold).toBeUndefined();
  },
);

test('draws a grid with less contrast than the data in it', () => {
  for (const name of ['dark', 'light'] as const) {
    const theme = resolveTheme(name, { isLight: false });
    const { good, fault, dim, grid } = theme;
    for (const data of [good, fault, dim])
      expect(contrastRatio(grid, grounds[name])).toBeLessThan(contrastRatio(data, grounds[name]));
  }
});

test.each(['dark', 'light'] as const)(
  'draws the focused field with a stronger background than the other fields on a %s terminal',
  (ground) => {
    for (const name of [ground, 'high-contrast'] as const) {
      const { field, idleField } = resolveTheme(name, { isLight: ground === 'light' });
      const strength = ({ backgroundColor = '' }: Style) =>
        contrast(toRgb(backgroundColor), grounds[ground].background);
      expect(strength(field)).toBeGreaterThan(strength(idleField) * 1.15);
      expect(strength(idleField)).toBeGreaterThan(1.1);
    }
  },
);

/** The tables that assign a text role to each word for a state. */
const stateTables = {
  tasks: stateRoles,
  severities: severityRoles,
  outcomes: outcomeRoles,
  forecasts: forecastRoles,
  plans: planRoles,
  differences: differenceRoles,
};

test('draws the name of a state with the same color role in every pane', () => {
  const roles = new Map<string, Set<Role>>();
  for (const table of Object.values<Readonly<Record<string, Role>>>(stateTables)) {
    for (const [word, role] of Object.entries(table))
      roles.set(word, (roles.get(word) ?? new Set()).add(role));
  }
  expect([...roles].filter(([, some]) => some.size > 1)).toEqual([]);
  const pending = Object.values(stateTables).flatMap((table: Readonly<Record<string, Role>>) =>
    ['waiting', 'running', 'stopping', 'progress', 'refresh'].flatMap((word) => table[word] ?? []),
  );
  expect(new Set(pending)).toEqual(new Set(['pending']));
});

test('components take their colors only from the table of themes', () => {
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

test('queries the background of the terminal only if the theme depends on the background', () => {
  const names = Object.keys(themes) as (keyof typeof themes)[];
  const follow = names.filter((name) => themes[name].onDark !== themes[name].onLight);
  expect([...names, 'auto' as const].filter(followsBackground)).toEqual([...follow, 'auto']);
});

test.each(allThemes)('draws everything behind a form in a single quiet style in $name', ({ theme }) => {
  const dimmed = dimTheme(theme);
  for (const role of ['plain', 'title', 'fault', 'warning', 'good', 'destroy'] as const)
    expect(dimmed[role]).toEqual(theme.dim);
  expect(dimmed.selected).toEqual({ ...theme.dim, inverse: true });
});
