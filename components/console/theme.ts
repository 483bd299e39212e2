import type { TextProps } from 'ink';
import type { World } from '../../src/world.ts';

/** The meaning of a stretch of text, from which its style follows. */
export type Role =
  | 'plain'
  | 'title'
  | 'dim'
  | 'selected'
  | 'found'
  | 'border'
  | 'focus'
  | 'escaped'
  | 'press'
  | 'badge'
  | 'good'
  | 'warning'
  | 'fault'
  | 'production'
  | 'preview'
  | 'local'
  | 'embedded';

type Style = Pick<TextProps, 'color' | 'backgroundColor' | 'bold' | 'inverse' | 'dimColor' | 'underline'>;

/** The style of each role, to be spread into a `Text`. */
export type Theme = Readonly<Record<Role, Style>>;

/** The terminal's own sixteen colours, so that light and dark backgrounds both stay readable. */
const coloured: Theme = {
  plain: {},
  title: { bold: true },
  dim: { dimColor: true },
  selected: { inverse: true },
  found: { bold: true, underline: true },
  border: { dimColor: true },
  focus: { color: 'cyan' },
  escaped: { color: 'magenta' },
  press: { bold: true },
  badge: { color: 'cyan' },
  good: { color: 'green' },
  warning: { color: 'yellow' },
  fault: { color: 'red', bold: true },
  production: { color: 'white', backgroundColor: 'red', bold: true },
  preview: { color: 'black', backgroundColor: 'yellow', bold: true },
  local: { color: 'black', backgroundColor: 'green', bold: true },
  embedded: { color: 'black', backgroundColor: 'cyan', bold: true },
};

/** Bold, dim, underline and inverse are no colours: they stay, so that the selection can be seen. */
const colourless: Theme = {
  ...coloured,
  focus: { bold: true },
  escaped: { underline: true },
  badge: {},
  good: {},
  warning: { bold: true },
  fault: { bold: true },
  production: { bold: true, underline: true },
  preview: { bold: true },
  local: { bold: true },
  embedded: { bold: true },
};

/** The theme that the environment asks for: none with NO_COLOR (not empty), which `--no-color` sets. */
export function chooseTheme(world: Pick<World, 'env'>): Theme {
  const refused = (world.env['NO_COLOR'] ?? '') !== '';
  return refused ? colourless : coloured;
}
