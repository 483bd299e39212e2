import type { OutputStream } from '../../../src/world.ts';
import type { ScreenStream } from './screen-stream.ts';
import { askWindowSize, onWindowChange } from './signals.ts';

/**
 * Redraws the whole screen when its content is unknown: after the window is resized, after a suspension, and at the user's request. Ink
 * writes only the changes since its last frame, relative to the position at which it assumes the cursor to be. But if a window shrinks and
 * grows again, rows are lost, and this position is wrong.
 */
export class Redraw {
  readonly #stdout: OutputStream;
  readonly #screen: ScreenStream;
  #forgetFrame: (() => void) | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #isPaused = false;

  /** `screen` is the stream that Ink draws on. Only this class makes the stream measure the window. */
  constructor(stdout: OutputStream, screen: ScreenStream) {
    this.#stdout = stdout;
    this.#screen = screen;
  }

  /** Follows the window's size until the returned function is called. `forget` makes Ink forget its last frame. */
  follow(forget: () => void): () => void {
    this.#forgetFrame = forget;
    const unfollow = this.#screen.followsWindow ? this.#followWindow() : () => undefined;
    return () => {
      this.#forgetFrame = undefined;
      unfollow();
    };
  }

  #followWindow(): () => void {
    this.#stdout.on('resize', this.#soon);
    // Node.js emits no `resize` event if the window has returned to its old size by the time the signal is handled.
    const unwatch = onWindowChange(this.#soon);
    return () => {
      clearImmediate(this.#scheduled);
      this.#stdout.off('resize', this.#soon);
      unwatch();
    };
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Stops redrawing until `resume`, because another program uses the terminal. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Allows redrawing again, and redraws the screen: a stopped or background process has missed changes to the window's size. */
  resume(): void {
    this.#isPaused = false;
    askWindowSize();
  }

  /**
   * Draws the whole screen. Without a last frame, Ink draws immediately on `resize`. The event is emitted in a microtask, after React has
   * given the panes the new size: otherwise a frame that is too tall would scroll the screen, and Ink might first write a delayed old
   * frame.
   */
  readonly now = (): void => {
    if (this.#isPaused || this.#forgetFrame === undefined) return;
    this.#forgetFrame();
    this.#screen.erase();
    this.#screen.measure();
    queueMicrotask(() => this.#forgetFrame !== undefined && this.#screen.emit('resize'));
  };

  /** Redraws once for events that arrive together. */
  readonly #soon = (): void => {
    clearImmediate(this.#scheduled);
    this.#scheduled = setImmediate(this.now);
  };
}
