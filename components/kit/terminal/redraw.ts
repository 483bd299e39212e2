import type { OutputStream } from '../../../src/world.ts';
import type { ScreenStream } from './screen-stream.ts';
import { askWindowSize, onWindowChange } from './signals.ts';

/**
 * Redraws the whole screen when its content is unknown: after each change of the window's size, after a suspension, and at the
 * user's request. Ink writes only the changes since its last frame, relative to the assumed cursor position; a window that
 * shrinks and grows back to its size has lost rows.
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

  /** Follows the window until the returned function is called. `forget` makes Ink forget its last frame. */
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
    // If the size is the same again when the signal is handled, Node.js emits no `resize` event.
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

  /**
   * Draws again. A process that was stopped or in the background missed changes of the window's size, so the size is read again.
   */
  resume(): void {
    this.#isPaused = false;
    askWindowSize();
  }

  /**
   * Draws the whole screen. Ink does so immediately on `resize` if it has no last frame. By then the panes have the new
   * size, because React applies it in a microtask. If Ink drew earlier, a frame that is too high would scroll the
   * screen, and Ink might write a delayed old frame first.
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
