import { EventEmitter } from 'node:events';
import type { OutputStream } from '../../../src/world.ts';
import { ColumnAligner } from './column-aligner.ts';

/** The size of a window. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** Called after a string was written. */
export type WriteCallback = (error?: Error | null) => void;

const homeAndErase = '\u001b[H\u001b[2J';

/** The sequence that Ink writes before its first frame and after an editor. */
const alternateScreen = '\u001b[?1049h';

/**
 * Also turns off wrapping and clears the screen, because Ink writes the first frame at the cursor, before a component has set a mode. With
 * wrapping, a glyph that is wider than calculated would scroll the screen. Some terminals do not move the cursor when they switch to the
 * alternate screen, and others, such as GNU screen, may have no alternate screen: later frames would be mixed with earlier output.
 */
const emptyScreen = `${alternateScreen}\u001b[?7l${homeAndErase}`;

/**
 * The standard output that Ink writes to. The stream emits `resize` only when `Redraw` requests it. If the terminal's own events reached
 * Ink, Ink would draw immediately, relative to the cursor position in the old window.
 */
export class ScreenStream extends EventEmitter implements NodeJS.WritableStream {
  readonly isTTY = true;
  /** Whether the output depends on the window's size. */
  readonly followsWindow: boolean = true;
  readonly #stdout: OutputStream;
  readonly #columns = new ColumnAligner();
  #size: WindowSize | undefined;

  constructor(stdout: OutputStream) {
    super();
    this.#stdout = stdout;
    // Every component that reads the size adds a listener.
    this.setMaxListeners(0);
  }

  /** The last measured width. Between a resize of the window and the redraw, frames are drawn for the old size. */
  get columns(): number {
    return this.size().columns;
  }

  get rows(): number {
    return this.size().rows;
  }

  /** Returns the size of the frames; the same object until a different size is measured. */
  readonly size = (): WindowSize => {
    this.#size ??= this.windowSize();
    return this.#size;
  };

  /** Calls a listener when a new size has been measured, until the returned function is called. */
  readonly onMeasured = (listener: () => void): (() => void) => {
    this.on('measured', listener);
    return () => void this.off('measured', listener);
  };

  /** Reads the current size of the window, and notifies listeners if it has changed. */
  measure(): void {
    const now = this.windowSize();
    const { columns, rows } = this.size();
    if (now.columns === columns && now.rows === rows) return;
    this.#size = now;
    this.emit('measured');
  }

  protected windowSize(): WindowSize {
    const { columns = 80, rows = 24 } = this.#stdout;
    return { columns, rows };
  }

  get writable(): boolean {
    return this.#stdout.writable;
  }

  get destroyed(): boolean {
    return this.#stdout.destroyed;
  }

  get writableEnded(): boolean {
    return this.#stdout.writableEnded;
  }

  get writableLength(): number {
    return this.#stdout.writableLength;
  }

  write(
    text: Uint8Array | string,
    encoding?: BufferEncoding | WriteCallback,
    written?: WriteCallback,
  ): boolean {
    const done = typeof encoding === 'function' ? encoding : written;
    const wanted = text.toString();
    return this.#stdout.write(wanted === alternateScreen ? emptyScreen : this.#columns.write(wanted), done);
  }

  /** Clears the screen before a complete frame. */
  erase(): void {
    this.write(homeAndErase);
  }

  /** Does nothing: the terminal stays open. */
  end(): this {
    return this;
  }
}
