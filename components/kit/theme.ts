import type { TextProps } from 'ink';
import type { DisplaySettings } from '../../src/services/session/display-settings.ts';

/** The meaning of a piece of text. The theme maps it to a style. */
export type Role =
  | 'plain'
  | 'title'
  | 'dim'
  | 'selected'
  | 'cursor'
  | 'line'
  /** The background of the focused input field, and of the other input fields. */
  | 'field'
  | 'idleField'
  | 'found'
  | 'fresh'
  | 'border'
  | 'focus'
  | 'grid'
  | 'escaped'
  | 'press'
  | 'badge'
  | 'good'
  | 'pending'
  | 'warning'
  | 'fault'
  /** For data that will be lost soon or permanently: more conspicuous than a fault. */
  | 'critical'
  | 'destroy'
  | 'added'
  | 'removed'
  | 'addedWord'
  | 'removedWord'
  | 'changed'
  | 'name'
  | 'string'
  | 'number'
  | 'production'
  | 'preview'
  | 'local'
  | 'embedded';

export type Style = Pick<
  TextProps,
  'color' | 'backgroundColor' | 'bold' | 'inverse' | 'dimColor' | 'underline'
>;

/** The style of each role, as props of Ink's `Text`. */
export type Theme = Readonly<Record<Role, Style>>;

/** Roles without a color, identical in all themes. */
const colorlessRoles = {
  plain: {},
  title: { bold: true },
  selected: { inverse: true },
  cursor: { inverse: true },
  found: { bold: true, underline: true },
  press: { bold: true },
} satisfies Partial<Theme>;

/** A word on a colored background. Black and white are set by number, because some terminals draw bold black as grey. */
function badgeStyle(color: number, backgroundColor: string): Style {
  return { color: `ansi256(${color})`, backgroundColor, bold: true };
}

const black = 16;
const white = 231;

/** Uses colors of the user's 16-color palette where they are readable on black. */
const dark: Theme = {
  ...colorlessRoles,
  line: { backgroundColor: 'ansi256(236)' },
  field: { backgroundColor: 'ansi256(240)' },
  idleField: { backgroundColor: 'ansi256(237)' },
  dim: { color: 'ansi256(245)' },
  border: { color: 'ansi256(242)' },
  grid: { color: 'ansi256(239)' },
  focus: { color: 'cyan' },
  escaped: { color: 'magentaBright' },
  badge: { color: 'cyan' },
  fresh: badgeStyle(white, 'ansi256(238)'),
  good: { color: 'green' },
  pending: { color: 'ansi256(75)' },
  warning: { color: 'yellow' },
  fault: { color: 'redBright' },
  critical: { color: 'redBright', bold: true },
  destroy: badgeStyle(white, 'ansi256(160)'),
  added: { color: 'green' },
  removed: { color: 'redBright' },
  addedWord: badgeStyle(white, 'ansi256(22)'),
  removedWord: badgeStyle(white, 'ansi256(88)'),
  changed: { color: 'yellow' },
  name: { color: 'ansi256(110)' },
  string: { color: 'ansi256(151)' },
  number: { color: 'ansi256(180)' },
  production: badgeStyle(white, 'red'),
  preview: badgeStyle(black, 'yellow'),
  local: badgeStyle(black, 'green'),
  embedded: badgeStyle(black, 'cyan'),
};

/** Uses fixed colors of the 256-color cube, because the green, yellow and cyan of the 16-color palette are unreadable on white. */
const light: Theme = {
  ...colorlessRoles,
  line: { backgroundColor: 'ansi256(254)' },
  field: { backgroundColor: 'ansi256(249)' },
  idleField: { backgroundColor: 'ansi256(252)' },
  dim: { color: 'ansi256(241)' },
  border: { color: 'ansi256(245)' },
  grid: { color: 'ansi256(250)' },
  focus: { color: 'ansi256(24)' },
  escaped: { color: 'ansi256(90)' },
  badge: { color: 'ansi256(24)' },
  fresh: badgeStyle(black, 'ansi256(253)'),
  good: { color: 'ansi256(22)' },
  pending: { color: 'ansi256(26)' },
  warning: { color: 'ansi256(94)' },
  fault: { color: 'ansi256(160)' },
  critical: { color: 'ansi256(160)', bold: true },
  destroy: badgeStyle(white, 'ansi256(160)'),
  added: { color: 'ansi256(22)' },
  removed: { color: 'ansi256(160)' },
  addedWord: badgeStyle(black, 'ansi256(157)'),
  removedWord: badgeStyle(black, 'ansi256(217)'),
  changed: { color: 'ansi256(94)' },
  name: { color: 'ansi256(60)' },
  string: { color: 'ansi256(58)' },
  number: { color: 'ansi256(95)' },
  production: badgeStyle(white, 'ansi256(160)'),
  preview: badgeStyle(black, 'ansi256(214)'),
  local: badgeStyle(white, 'ansi256(22)'),
  embedded: badgeStyle(white, 'ansi256(24)'),
};

/**
 * The styles of both high-contrast themes. The selection also differs in form. Only targets, destructive actions, the selected line of a
 * document and recent changes have a background. Bold text is reserved for titles, keys and critical faults. Less important text is grey, with a
 * contrast of at least 7.
 */
const highContrastForm = {
  ...colorlessRoles,
  selected: { inverse: true, bold: true },
} satisfies Partial<Theme>;

/** Uses bright colors, with a contrast to black of at least 7. */
const highContrastOnDark: Theme = {
  ...highContrastForm,
  line: { backgroundColor: 'ansi256(234)', underline: true },
  field: { backgroundColor: 'ansi256(237)' },
  idleField: { backgroundColor: 'ansi256(235)', underline: true },
  dim: { color: 'ansi256(248)' },
  border: { color: 'ansi256(248)' },
  grid: { color: 'ansi256(247)' },
  focus: { color: 'ansi256(51)', bold: true },
  escaped: { color: 'ansi256(219)', underline: true },
  badge: { color: 'ansi256(51)' },
  fresh: { ...badgeStyle(white, 'ansi256(238)'), underline: true },
  good: { color: 'ansi256(46)' },
  pending: { color: 'ansi256(117)' },
  warning: { color: 'ansi256(226)' },
  fault: { color: 'ansi256(203)' },
  critical: { color: 'ansi256(203)', bold: true },
  destroy: badgeStyle(white, 'ansi256(124)'),
  added: { color: 'ansi256(46)' },
  removed: { color: 'ansi256(203)' },
  addedWord: { color: 'ansi256(46)', bold: true, underline: true },
  removedWord: { color: 'ansi256(203)', bold: true, underline: true },
  changed: { color: 'ansi256(226)' },
  name: { color: 'ansi256(153)' },
  string: { color: 'ansi256(157)' },
  number: { color: 'ansi256(222)' },
  production: badgeStyle(white, 'ansi256(124)'),
  preview: badgeStyle(black, 'ansi256(226)'),
  local: badgeStyle(black, 'ansi256(46)'),
  embedded: badgeStyle(black, 'ansi256(51)'),
};

/** Uses dark colors, with a contrast to white of at least 7. No yellow is dark enough, so a warning has a background instead. */
const highContrastOnLight: Theme = {
  ...highContrastForm,
  line: { backgroundColor: 'ansi256(255)', underline: true },
  field: { backgroundColor: 'ansi256(250)' },
  idleField: { backgroundColor: 'ansi256(254)', underline: true },
  dim: { color: 'ansi256(239)' },
  border: { color: 'ansi256(239)' },
  grid: { color: 'ansi256(240)' },
  focus: { color: 'ansi256(23)', bold: true },
  escaped: { color: 'ansi256(54)', underline: true },
  badge: { color: 'ansi256(23)' },
  fresh: { ...badgeStyle(black, 'ansi256(253)'), underline: true },
  good: { color: 'ansi256(22)' },
  pending: { color: 'ansi256(19)' },
  warning: badgeStyle(black, 'ansi256(220)'),
  fault: { color: 'ansi256(88)' },
  critical: { color: 'ansi256(88)', bold: true },
  destroy: badgeStyle(white, 'ansi256(88)'),
  added: { color: 'ansi256(22)' },
  removed: { color: 'ansi256(88)' },
  addedWord: { color: 'ansi256(22)', bold: true, underline: true },
  removedWord: { color: 'ansi256(88)', bold: true, underline: true },
  changed: badgeStyle(black, 'ansi256(220)'),
  name: { color: 'ansi256(17)' },
  string: { color: 'ansi256(24)' },
  number: { color: 'ansi256(53)' },
  production: badgeStyle(white, 'ansi256(88)'),
  preview: badgeStyle(black, 'ansi256(220)'),
  local: badgeStyle(white, 'ansi256(22)'),
  embedded: badgeStyle(white, 'ansi256(23)'),
};

/** Uses only bold, dim, underline and inverse: no information depends on color alone, because a word or a sign accompanies each color. */
const mono: Theme = {
  ...colorlessRoles,
  line: { inverse: true },
  field: { underline: true },
  idleField: { underline: true },
  dim: { dimColor: true },
  border: { dimColor: true },
  grid: { dimColor: true },
  focus: { bold: true },
  escaped: { underline: true },
  badge: {},
  fresh: { bold: true },
  good: {},
  pending: {},
  warning: { bold: true },
  fault: { bold: true },
  critical: { bold: true, underline: true },
  destroy: { inverse: true, bold: true },
  added: {},
  removed: {},
  addedWord: { bold: true, underline: true },
  removedWord: { bold: true, underline: true },
  changed: {},
  name: {},
  string: {},
  number: {},
  production: { bold: true, underline: true },
  preview: { bold: true },
  local: { bold: true },
  embedded: { bold: true },
};

/** All themes, by name and by the terminal's background. */
export const themes = {
  dark: { onDark: dark, onLight: dark },
  light: { onDark: light, onLight: light },
  'high-contrast': { onDark: highContrastOnDark, onLight: highContrastOnLight },
  mono: { onDark: mono, onLight: mono },
} as const satisfies Record<
  Exclude<DisplaySettings['theme'], 'auto'>,
  { readonly onDark: Theme; readonly onLight: Theme }
>;

/** The meaning of each color: within a theme, roles with different meanings never have the same color. */
export const meanings = {
  danger: ['fault', 'critical', 'destroy', 'removed', 'removedWord', 'production'],
  caution: ['warning', 'changed', 'preview'],
  sound: ['good', 'added', 'addedWord', 'local'],
  progress: ['pending'],
  news: ['fresh'],
  here: ['focus', 'badge', 'embedded'],
  escape: ['escaped'],
  aside: ['dim', 'border', 'grid'],
  'selected line': ['line'],
  field: ['field', 'idleField'],
  'JSON name': ['name'],
  'JSON string': ['string'],
  'JSON number': ['number'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Returns the theme for the content behind an open form or question: one dim style, with only the selection emphasized. */
export function dimTheme(theme: Theme): Theme {
  const roles = Object.keys(theme) as Role[];
  const dimmed = Object.fromEntries(roles.map((role) => [role, theme.dim])) as Record<Role, Style>;
  return {
    ...dimmed,
    border: theme.border,
    grid: theme.grid,
    selected: { ...theme.dim, inverse: true },
  };
}

/** Returns the theme with this name for the terminal's background; `auto` also depends on the background. */
export function resolveTheme(
  name: DisplaySettings['theme'],
  { isLight }: { readonly isLight: boolean },
): Theme {
  const chosen = name === 'auto' ? (isLight ? 'light' : 'dark') : name;
  return themes[chosen][isLight ? 'onLight' : 'onDark'];
}
