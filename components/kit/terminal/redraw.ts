import type { OutputStream } from '../../../src/world.ts';
import type { ScreenStream } from './screen-stream.ts';
import { askWindowSize, onWindowChange } from './signals.ts';

/**
 * Draws the whole screen again when its content is unknown: after each change of the window's size, after a stop, and at the
 * reader's request. Ink writes only the changes since its last frame, relative to the assumed cursor position; a window that
 * shrinks and grows again has lost rows, at the same size as before.
 */
export class Redraw {
  readonly #stdout: OutputStream;
  readonly #screen: ScreenStream;
  #forget: (() => void) | undefined;
  #turn: NodeJS.Immediate | undefined;
  #isElsewhere = false;

  /** `screen` is what Ink draws on: it hears of the window's size from here alone. */
  constructor(stdout: OutputStream, screen: ScreenStream) {
    this.#stdout = stdout;
    this.#screen = screen;
  }

  /** Follows the window until the returned function is called. `forget` makes Ink forget its last frame. */
  follow(forget: () => void): () => void {
    this.#forget = forget;
    const unfollow = this.#screen.followsWindow ? this.#followWindow() : () => undefined;
    return () => {
      this.#forget = undefined;
      unfollow();
    };
  }

  #followWindow(): () => void {
    this.#stdout.on('resize', this.#soon);
    // The size may be the same again when the signal is seen: then there is no event.
    const unwatch = onWindowChange(this.#soon);
    return () => {
      clearImmediate(this.#turn);
      this.#stdout.off('resize', this.#soon);
      unwatch();
    };
  }

  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Draws nothing until `resume`: the terminal belongs to somebody else. */
  pause(): void {
    this.#isElsewhere = true;
  }

  /** Draws again. A process that was stopped, or in the background, was not notified of the window's size: it asks for it. */
  resume(): void {
    this.#isElsewhere = false;
    askWindowSize();
  }

  /**
   * Draws the whole screen. Ink does so immediately for a `resize` without a last frame. By then the panes have the new size,
   * as React applies it in a microtask: a frame that is too high would scroll, and Ink writes the next one after one that it
   * may still hold back.
   */
  readonly now = (): void => {
    if (this.#isElsewhere || this.#forget === undefined) return;
    this.#forget();
    this.#screen.erase();
    this.#screen.measure();
    queueMicrotask(() => this.#forget !== undefined && this.#screen.emit('resize'));
  };

  /** Once for what comes together. */
  readonly #soon = (): void => {
    clearImmediate(this.#turn);
    this.#turn = setImmediate(this.now);
  };
}
