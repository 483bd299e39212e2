import { EventEmitter } from 'node:events';
import type { OutputStream } from '../../../src/world.ts';
import { KeptColumns } from './kept-columns.ts';

/** How much fits on a screen. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** Called after a string was written. */
export type WrittenTo = (error?: Error | null) => void;

const homeAndErase = '\u001b[H\u001b[2J';

/** What Ink writes before its first frame, and before the one after an editor. */
const alternateScreen = '\u001b[?1049h';

/**
 * The first frame is written before any component has set a mode, and from where the cursor is. A glyph wider than we
 * think would wrap its line and scroll the screen; some terminals keep the cursor where it was, and some, such as GNU
 * screen, have no other screen to go to: every later frame would be mixed with the one before.
 */
const emptyScreen = `${alternateScreen}\u001b[?7l${homeAndErase}`;

/**
 * The standard output as passed to Ink. It is notified of a new size by `Redraw`, not by the terminal: it would draw
 * immediately, relative to the cursor position in the old window.
 */
export class ScreenStream extends EventEmitter implements NodeJS.WritableStream {
  readonly isTTY = true;
  /** Whether what is drawn depends on the size of the window. */
  readonly followsWindow: boolean = true;
  readonly #stdout: OutputStream;
  readonly #columns = new KeptColumns();
  #size: WindowSize | undefined;

  constructor(stdout: OutputStream) {
    super();
    this.#stdout = stdout;
    // Every component that asks for the size listens.
    this.setMaxListeners(0);
  }

  /** The last measured size: between a change of the window and its redraw, frames are drawn for the old size. */
  get columns(): number {
    return this.size().columns;
  }

  get rows(): number {
    return this.size().rows;
  }

  /** The size that is drawn for; the same value until another is measured. */
  readonly size = (): WindowSize => {
    this.#size ??= this.windowSize();
    return this.#size;
  };

  /** Calls a listener when the size has been measured, until the returned function is called. */
  readonly onMeasured = (listener: () => void): (() => void) => {
    this.on('measured', listener);
    return () => void this.off('measured', listener);
  };

  /** Adopts the present size of the window, and announces it if it changed. */
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

  write(text: Uint8Array | string, encoding?: BufferEncoding | WrittenTo, written?: WrittenTo): boolean {
    const done = typeof encoding === 'function' ? encoding : written;
    const wanted = text.toString();
    return this.#stdout.write(wanted === alternateScreen ? emptyScreen : this.#columns.write(wanted), done);
  }

  /** Makes room for a frame that is drawn whole. */
  erase(): void {
    this.write(homeAndErase);
  }

  /** The terminal outlives what is drawn on it. */
  end(): this {
    return this;
  }
}
