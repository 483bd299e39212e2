import type { OutputStream } from '../../../src/world.ts';
import type { ScreenStream } from './screen-stream.ts';
import { askWindowSize, onWindowChange } from './signals.ts';

/**
 * Redraws the whole screen when its content is unknown: after each change of the window's size, after a suspension, and at the user's
 * request. Ink writes only the changes since its last frame, relative to the assumed cursor position; a window that shrinks and then
 * returns to its original size has lost rows.
 */
export class Redraw {
  readonly #stdout: OutputStream;
  readonly #screen: ScreenStream;
  #forgetFrame: (() => void) | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #isPaused = false;

  /** `screen` is the stream that Ink draws on. Only this class notifies it of a new window size. */
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
    // Node.js emits no `resize` event if the window has its old size again when the signal is handled.
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

  /** Draws nothing until `resume`, because another program uses the terminal. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Draws again. Reads the size again, because a stopped or background process missed changes of the window's size. */
  resume(): void {
    this.#isPaused = false;
    askWindowSize();
  }

  /**
   * Draws the whole screen. On `resize`, Ink draws immediately if it has no last frame. By then the panes have the new size, because React
   * applies it in a microtask. If Ink drew earlier, a frame that is too high would scroll the screen, and Ink might first write a delayed
   * old frame.
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
