import type { Screen, ScreenSize, StyledStretch } from './screen.ts';

/** Size of a cell in pixels. */
const cell = { width: 8, height: 18 };
const margin = 12;

/** The sixteen colours of a terminal, on a light background and on a dark one. */
const light = ['24292f', 'cf222e', '116329', '8a5a00', '0550ae', '8250df', '1b7c83', '57606a'];
const dark = ['c9d1d9', 'ff7b72', '7ee787', 'e3b341', '79c0ff', 'd2a8ff', '56d4dd', '8b949e'];

/** Rows of a screen, as a picture draws them. */
export type Frame = readonly (readonly StyledStretch[])[];

/** What stands on a screen now. */
export function frameOf(screen: Screen): Frame {
  return screen.lines().map((_, row) => screen.stretches(row));
}

/** One screen as SVG, which is light or dark as the reader's system is. */
export function pictureOf(frame: Frame, size: ScreenSize, about: string): string {
  return svg(size, about, '', rowsOf(frame));
}

/** Several screens one after the other, each for some seconds, around and around. */
export function filmOf(frames: readonly Frame[], size: ScreenSize, about: string): string {
  const seconds = 4;
  const whole = frames.length * seconds;
  const share = 100 / frames.length;
  const css = `.f{visibility:hidden;animation:f ${whole}s steps(1) infinite}@keyframes f{0%{visibility:visible}${share.toFixed(3)}%{visibility:hidden}}`;
  const groups = frames.map(
    (frame, index) => `<g class="f" style="animation-delay:${index * seconds}s">${rowsOf(frame)}</g>`,
  );
  return svg(size, about, css, groups.join('\n'));
}

function svg({ columns, rows }: ScreenSize, about: string, css: string, content: string): string {
  const width = columns * cell.width + 2 * margin;
  const height = rows * cell.height + 2 * margin;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve" aria-label="${escapeXml(about)}">`,
    `<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:var(--c0)}.b{font-weight:700}.d{opacity:.62}.u{text-decoration:underline}.i{fill:var(--bg)}${colours()}${css}</style>`,
    `<rect class="bg" width="${width}" height="${height}" rx="8"/>`,
    content,
    '</svg>',
  ].join('\n')}\n`;
}

function colours(): string {
  const variables = (background: string, all: readonly string[]) =>
    `:root{--bg:#${background};${all.map((colour, index) => `--c${index}:#${colour}`).join(';')}}`;
  const classes = light.map((_, index) => (index === 0 ? '' : `.c${index}{fill:var(--c${index})}`)).join('');
  return `${variables('f6f8fa', light)}@media(prefers-color-scheme:dark){${variables('0d1117', dark)}}.bg{fill:var(--bg)}.s{fill:var(--c0)}${classes}`;
}

function rowsOf(frame: Frame): string {
  return frame.flatMap((stretches, row) => stretches.map((stretch) => stretchOf(stretch, row))).join('\n');
}

function stretchOf({ text, style, column, columns }: StyledStretch, row: number): string {
  const x = margin + column * cell.width;
  const y = margin + row * cell.height;
  const isInverse = style.includes('inverse');
  const back = isInverse
    ? `<rect class="s" x="${x}" y="${y}" width="${columns * cell.width}" height="${cell.height}"/>`
    : '';
  const classes = [
    /bold/.test(style) && 'b',
    /dim/.test(style) && 'd',
    /underline/.test(style) && 'u',
    isInverse ? 'i' : colourClass(style),
  ].filter(Boolean);
  const named = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
  const shown = text.trim();
  if (shown === '') return back;
  const lead = text.length - text.trimStart().length;
  const length = (columns - (text.length - shown.length)) * cell.width;
  return `${back}<text${named} x="${x + lead * cell.width}" y="${y + 13}" textLength="${length}">${escapeXml(shown)}</text>`;
}

/** A bright colour looks like its plain one. */
function colourClass(style: string): string | undefined {
  const found = /fore-(\d+)/.exec(style)?.[1];
  return found === undefined || Number(found) % 8 === 0 ? undefined : `c${Number(found) % 8}`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
