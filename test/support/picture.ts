import type { Screen, ScreenSize, StyledStretch } from './screen.ts';

/** The size of a cell in pixels. */
const cell = { width: 8, height: 18 };
const margin = 12;

/** The background and foreground of a terminal, and the first eight of its 16 colors. */
interface Palette {
  readonly ground: string;
  readonly letters: string;
  readonly colours: readonly string[];
}

const palettes = {
  light: {
    ground: '#ffffff',
    letters: '#24292f',
    colours: ['24292f', 'cf222e', '116329', '8a5a00', '0550ae', '8250df', '1b7c83', '57606a'],
  },
  dark: {
    ground: '#0d1117',
    letters: '#c9d1d9',
    colours: ['484f58', 'e5534b', '7ee787', 'e3b341', '79c0ff', 'd2a8ff', '56d4dd', 'b1bac4'],
  },
} as const satisfies Record<string, Palette>;

/** The rows of a screen, for a picture. */
export type Frame = readonly (readonly StyledStretch[])[];

/** One screen in both themes. */
export interface Shot {
  readonly dark: Frame;
  readonly light: Frame;
}

/** Returns the current content of a screen. */
export function captureFrame(screen: Screen): Frame {
  return screen.lines().map((_, row) => seen(screen.stretches(row)));
}

/** Styles that make a space visible. */
const onBlanks = /inverse|back|under|strike/;

/** Returns the visible content of a row. The text color of a space is invisible and can be anything. */
function seen(row: readonly StyledStretch[]): StyledStretch[] {
  const stretches: StyledStretch[] = [];
  for (const stretch of row.map(trimmed)) {
    const last = stretches.at(-1);
    if (last === undefined || last.style !== stretch.style || onBlanks.test(last.style)) {
      stretches.push(stretch);
      continue;
    }
    const gap = ' '.repeat(stretch.column - last.column - last.columns);
    const columns = stretch.column + stretch.columns - last.column;
    stretches[stretches.length - 1] = { ...last, text: `${last.text}${gap}${stretch.text}`, columns };
  }
  return stretches;
}

function trimmed(stretch: StyledStretch): StyledStretch {
  const { text, style, column, columns } = stretch;
  if (onBlanks.test(style)) return stretch;
  const before = text.length - text.trimStart().length;
  const behind = text.length - text.trimEnd().length;
  return { text: text.trim(), style, column: column + before, columns: columns - before - behind };
}

/** Returns a screen as SVG that follows the light or dark mode of the reader's system. */
export function renderPicture(shot: Shot, size: ScreenSize, about: string): string {
  const styles = new StylePairs();
  const content = mergeRows(shot, styles);
  return svg(size, about, styles.css(), content);
}

/**
 * Returns several screens as a looping animation, each shown for some seconds. Readers who prefer reduced motion, and programs without
 * animation, see the first screen as a still picture.
 */
export function renderFilm(shots: readonly Shot[], size: ScreenSize, about: string): string {
  const seconds = 4;
  const whole = shots.length * seconds;
  const share = 100 / shots.length;
  const still = '.f{visibility:hidden}.still{visibility:visible}';
  const moving = `.f{visibility:hidden;animation:f ${whole}s steps(1) infinite}`;
  const css = `${still}@media(prefers-reduced-motion:no-preference){${moving}}@keyframes f{0%{visibility:visible}${share.toFixed(3)}%{visibility:hidden}}`;
  const styles = new StylePairs();
  const groups = shots.map(
    (shot, index) =>
      `<g class="f${index === 0 ? ' still' : ''}" style="animation-delay:${index * seconds}s">${mergeRows(shot, styles)}</g>`,
  );
  return svg(size, about, `${styles.css()}${css}`, groups.join('\n'));
}

function svg({ columns, rows }: ScreenSize, about: string, css: string, content: string): string {
  const width = columns * cell.width + 2 * margin;
  const height = rows * cell.height + 2 * margin;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve" aria-label="${escapeXml(about)}">`,
    `<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}${css}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    content,
    '</svg>',
  ].join('\n')}\n`;
}

/** The pairs of styles in the two themes; each pair has its own class. */
class StylePairs {
  readonly #pairs = new Map<string, readonly [light: string, dark: string]>();

  /** Returns the class of a pair. */
  nameClass(light: string, dark: string): string {
    const key = `${light}|${dark}`;
    if (!this.#pairs.has(key)) this.#pairs.set(key, [light, dark]);
    return `s${[...this.#pairs.keys()].indexOf(key)}`;
  }

  css(): string {
    const rules = (palette: Palette, at: 0 | 1) =>
      [...this.#pairs.values()].map((pair, index) => styleRules(`s${index}`, pair[at], palette)).join('');
    const groundRule = ({ ground }: Palette) => `.ground{fill:${ground}}`;
    return `${groundRule(palettes.light)}${rules(palettes.light, 0)}@media(prefers-color-scheme:dark){${groundRule(palettes.dark)}${rules(palettes.dark, 1)}}`;
  }
}

/** Returns the foreground and background of a style. */
function styleRules(name: string, style: string, palette: Palette): string {
  const { ground, letters } = palette;
  const isInverse = style.includes('inverse');
  const fore = colourIn(style, 'fore', palette) ?? letters;
  const back = colourIn(style, 'back', palette) ?? ground;
  const extra = [
    `font-weight:${/bold/.test(style) ? 700 : 400}`,
    ...(/underline/.test(style) ? ['text-decoration:underline'] : []),
  ].join(';');
  const [drawn, behind] = isInverse ? [back, fore] : [fore, back];
  return `.${name}{fill:${drawn};${extra}}.${name}b{fill:${behind}}.${name}l{stroke:${drawn};fill:none}`;
}

/**
 * Returns a style's foreground or background color, if any. A bright color is drawn as the normal color; colors 16 and above are the
 * same on all terminals.
 */
function colourIn(style: string, which: 'fore' | 'back', { colours }: Palette): string | undefined {
  const found = new RegExp(`${which}-(\\d+)`).exec(style)?.[1];
  if (found === undefined) return undefined;
  const number = Number(found);
  if (number < 16) return `#${colours[number % 8]}`;
  if (number >= 232) return toHex([0, 1, 2].map(() => 8 + (number - 232) * 10));
  const at = number - 16;
  const parts = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return toHex(parts.map((part) => (part === 0 ? 0 : 55 + part * 40)));
}

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function mergeRows({ dark, light }: Shot, styles: StylePairs): string {
  return light
    .flatMap((stretches, row) =>
      paired(stretches, dark[row] ?? []).map((stretch) =>
        renderStretch(stretch, row, styles.nameClass(stretch.style, stretch.darkStyle)),
      ),
    )
    .join('\n');
}

type Paired = StyledStretch & { readonly darkStyle: string };

/** Returns the styled parts of a row in both themes. Throws if the rows differ in their characters. */
function paired(light: readonly StyledStretch[], dark: readonly StyledStretch[]): Paired[] {
  const places = (row: readonly StyledStretch[]) => row.map(({ text, column }) => [column, text]);
  if (JSON.stringify(places(light)) !== JSON.stringify(places(dark))) {
    throw new Error(`${JSON.stringify(places(light))} is light and ${JSON.stringify(places(dark))} dark`);
  }
  return light.map((stretch, index) => ({ ...stretch, darkStyle: dark[index]?.style ?? '' }));
}

function renderStretch(
  { text, style, darkStyle, column, columns }: Paired,
  row: number,
  name: string,
): string {
  const x = margin + column * cell.width;
  const y = margin + row * cell.height;
  const hasGround = /inverse|back/.test(`${style} ${darkStyle}`);
  const back = hasGround
    ? `<rect class="${name}b" x="${x}" y="${y}" width="${columns * cell.width}" height="${cell.height}"/>`
    : '';
  const borders = bordersIn(text, x, y, name);
  const letters = text.replaceAll(/[│─╭╮╰╯]/g, ' ');
  const shown = letters.trim();
  if (shown === '') return back + borders;
  const lead = letters.length - letters.trimStart().length;
  const length = (columns - (letters.length - shown.length)) * cell.width;
  return `${back}${borders}<text class="${name}" x="${x + lead * cell.width}" y="${y + 13}" textLength="${length}">${escapeXml(shown)}</text>`;
}

/** SVG paths that draw each border character in a cell. */
const ways: Readonly<Record<string, string>> = {
  '│': 'm4 0v18',
  '╭': 'm4 18v-5q0-4 4-4',
  '╮': 'm0 9q4 0 4 4v5',
  '╰': 'm4 0v5q0 4 4 4',
  '╯': 'm0 9q4 0 4-4v-5',
};

/** Returns the borders in a string as lines: glyphs of most fonts are not as high as a row, and would leave gaps. */
function bordersIn(text: string, x: number, y: number, name: string): string {
  const lines = [...text.matchAll(/─+|[│╭╮╰╯]/g)].map(({ 0: line, index }) => {
    const way = ways[line] ?? `m0 9h${line.length * cell.width}`;
    return `M${x + index * cell.width} ${y}${way}`;
  });
  return lines.length === 0 ? '' : `<path class="${name}l" d="${lines.join('')}"/>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
