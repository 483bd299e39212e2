import { PassThrough, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import { type Style, themes } from '../../components/kit/theme.ts';
import type { InputStream, OutputStream } from '../../src/world.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A part of a row with one style, which is a list of words such as `bold`, `inverse`, `fore-4`, `back-1`. */
export interface StyledStretch {
  readonly text: string;
  readonly style: string;
  readonly column: number;
  readonly columns: number;
}

type Cell = NonNullable<
  ReturnType<
    NonNullable<ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>>['getCell']
  >
>;

function formatStyle(cell: Cell): string {
  const words = [
    cell.isBold() !== 0 && 'bold',
    cell.isDim() !== 0 && 'dim',
    cell.isUnderline() !== 0 && 'underline',
    cell.isInverse() !== 0 && 'inverse',
    !cell.isFgDefault() && `fore-${cell.getFgColor()}`,
    !cell.isBgDefault() && `back-${cell.getBgColor()}`,
  ];
  return words.filter((word) => word !== false).join(' ');
}

/** The backgrounds of the selected line of a document, in all themes. */
const lineTints = new Set(
  Object.values(themes)
    .flatMap(({ onDark, onLight }) => [onDark, onLight])
    .flatMap(
      ({ line }: Readonly<Record<'line', Style>>) =>
        /\d+/.exec(String(line.backgroundColor ?? '').slice(7)) ?? [],
    )
    .map(Number),
);

/** The state of a terminal after some output: the screen, and the invisible effects of escape sequences. */
export class Screen {
  /** Titles, clipboard writes and hyperlinks set by escape sequences. */
  readonly titles: string[] = [];
  readonly clipboards: string[] = [];
  readonly links: string[] = [];
  bells = 0;
  /** All bytes that were written, as text. */
  raw = '';
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #changed = new Set<() => void>();

  /**
   * Creates a terminal. `answer` receives the terminal's answers to a program, such as the terminal's status or the position of the cursor.
   */
  constructor({ columns, rows }: ScreenSize, answer: (text: string) => void = () => {}) {
    // A line feed also returns the carriage, as with a terminal driver.
    const options = { allowProposedApi: true, convertEol: true, scrollback: 1000 };
    this.#terminal = new xterm.Terminal({ cols: columns, rows, ...options });
    this.#terminal.onTitleChange((title) => this.titles.push(title));
    this.#terminal.onData(answer);
    this.#terminal.onBell(() => this.bells++);
    this.#terminal.parser.registerOscHandler(52, (data) => this.clipboards.push(data) > 0);
    this.#terminal.parser.registerOscHandler(8, (data) => this.links.push(data) > 0);
  }

  /** Draws a program's output, and calls `done` when the output is on the screen. */
  write(data: string, done?: () => void): void {
    this.raw += data;
    this.#terminal.write(data, () => {
      done?.();
      for (const check of this.#changed) check();
    });
  }

  resize({ columns, rows }: ScreenSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** Returns the rows of the screen without trailing spaces. */
  lines(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => {
      return (
        buffer
          .getLine(buffer.viewportY + row)
          ?.translateToString()
          .trimEnd() ?? ''
      );
    });
  }

  /** Returns the lines above the rows, without borders: the path and the counts. */
  head(): string {
    return this.lines()
      .slice(1, 3)
      .join(' ')
      .replaceAll(/[╭─╮]+/g, '')
      .trim();
  }

  /**
   * Returns a row as parts with one style each, without trailing spaces. A space without a background is invisible, so
   * it belongs to the part before it, regardless of its own style.
   */
  stretches(row: number): StyledStretch[] {
    const buffer = this.#terminal.buffer.active;
    const line = buffer.getLine(buffer.viewportY + row);
    const stretches: StyledStretch[] = [];
    for (let column = 0; column < this.#terminal.cols; column++) {
      const cell = line?.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const text = cell.getChars() || ' ';
      const last = stretches.at(-1);
      const style = seenStyle(text, formatStyle(cell), last?.style ?? '');
      if (last !== undefined && last.style === style)
        stretches[stretches.length - 1] = {
          ...last,
          text: last.text + text,
          columns: last.columns + cell.getWidth(),
        };
      else stretches.push({ text, style, column, columns: cell.getWidth() });
    }
    return stretches
      .filter(({ text, style }) => text.trim() !== '' || hasGround.test(style))
      .map((stretch) => (hasGround.test(stretch.style) ? stretch : withoutEnd(stretch)));
  }

  text(): string {
    return this.lines().join('\n');
  }

  /** Returns the text of the selection, which is the first inverse or tinted bar that starts at the edge of the screen or at a border. */
  selected(): string | undefined {
    const bars = this.lines().map((line, row) => this.#barIn(line, row));
    return bars.find((bar) => bar !== undefined)?.trim();
  }

  #barIn(line: string, row: number): string | undefined {
    const buffer = this.#terminal.buffer.active;
    const drawn = buffer.getLine(buffer.viewportY + row);
    const isBar = (column: number) => {
      const cell = drawn?.getCell(column);
      if (cell === undefined) return false;
      return cell.isInverse() !== 0 || (cell.isBgPalette() && lineTints.has(cell.getBgColor()));
    };
    const edges = [0, ...[...line.matchAll(/│/g)].map(({ index }) => index + 1)];
    const start = edges.find(isBar);
    if (start === undefined || drawn === undefined) return undefined;
    let end = start;
    while (isBar(end)) end++;
    return drawn.translateToString(false, start, end);
  }

  /** Returns the modes that a program must restore. */
  modes(): { alternate: boolean; wrap: boolean; paste: boolean; mouse: string; cursor: boolean } {
    const { wraparoundMode, bracketedPasteMode, mouseTrackingMode } = this.#terminal.modes;
    return {
      alternate: this.#terminal.buffer.active.type === 'alternate',
      wrap: wraparoundMode,
      paste: bracketedPasteMode,
      mouse: mouseTrackingMode,
      cursor: this.raw.lastIndexOf('\u001b[?25h') >= this.raw.lastIndexOf('\u001b[?25l'),
    };
  }

  /** Resolves as soon as the screen shows a string or satisfies a condition; rejects with the screen's content after a timeout. */
  async waitFor(wanted: string | ((screen: Screen) => boolean), timeoutMs = 25_000): Promise<void> {
    const holds = () => (typeof wanted === 'string' ? this.text().includes(wanted) : wanted(this));
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const check = () => holds() && settle(resolve);
      const late = () => reject(new Error(`The screen does not show ${String(wanted)}:\n${this.text()}`));
      const timer = setTimeout(() => settle(late), timeoutMs);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.#changed.delete(check);
        end();
      };
      this.#changed.add(check);
    });
  }
}

const sequences: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  space: ' ',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
};

/** Returns the input that a terminal sends for a press: `enter`, `ctrl+c`, `alt+x`; everything else is typed unchanged. */
export function toSequence(press: string): string {
  const known = sequences[press];
  if (known !== undefined) return known;
  const control = /^ctrl\+([a-z])$/.exec(press)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  const alt = /^alt\+(.)$/.exec(press)?.[1];
  return alt === undefined ? press : `\u001b${alt}`;
}

/** A terminal in this process: the two streams of a program, and the screen. */
export interface MemoryTerminal {
  readonly screen: Screen;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  /** Returns true if the program's input is in raw mode. */
  isRaw(): boolean;
  /** Sends presses by name, each in a separate read. */
  press(...presses: string[]): void;
  /** Sends one read unchanged. */
  send(input: string): void;
  resize(size: ScreenSize): void;
}

/** Opens a terminal of this size, without a pseudo-terminal. */
export function openMemoryTerminal(size: ScreenSize): MemoryTerminal {
  let raw = false;
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(on: boolean) {
      raw = on;
    },
  });
  const screen = new Screen(size, (text) => stdin.write(text));
  const stdout: OutputStream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => screen.write(chunk.toString(), done),
  });
  Object.assign(stdout, { isTTY: true, ...size });
  return {
    screen,
    stdin,
    stdout,
    isRaw: () => raw,
    press(...presses) {
      for (const press of presses) stdin.write(toSequence(press));
    },
    send: (input) => void stdin.write(input),
    resize(next) {
      screen.resize(next);
      Object.assign(stdout, next);
      stdout.emit('resize');
    },
  };
}

/** Styles that make a space visible. */
const hasGround = /inverse|back|underline/;

function seenStyle(text: string, style: string, before: string): string {
  if (text !== ' ' || hasGround.test(style)) return style;
  return hasGround.test(before) ? '' : before;
}

function withoutEnd(stretch: StyledStretch): StyledStretch {
  const text = stretch.text.trimEnd();
  return { ...stretch, text, columns: stretch.columns - (stretch.text.length - text.length) };
}
