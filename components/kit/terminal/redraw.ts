import type { OutputStream } from '../../../src/world.ts';
import type { ScreenStream } from './screen-stream.ts';
import { askWindowSize, onWindowChange } from './signals.ts';

/**
 * Draws the whole screen anew where nobody knows what stands on it: after each change of the window's size, after a
 * stop, and when the reader asks for it. Ink writes only what has changed since its last frame, and by where it believes
 * the cursor to be; a window that shrinks and grows again has lost rows, and its size is what it was.
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

  /** Draws again. A process that was stopped, or not in front, was not told of the window's size: it asks for it. */
  resume(): void {
    this.#isElsewhere = false;
    askWindowSize();
  }

  /**
   * Draws all of the screen. Ink does so for a `resize`, at once, when it has no last frame. By then the panes have taken
   * the size, as React does in a microtask: a frame that is too high would scroll, and Ink writes the one after it past
   * one that it may still hold back.
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
