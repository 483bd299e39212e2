import type { DisplaySettings } from '../../../src/services/session/display-settings.ts';
import type { World } from '../../../src/world.ts';

/** Returns whether a theme has different colors for light and dark terminals. */
export function followsBackground(theme: DisplaySettings['theme']): boolean {
  return theme === 'auto' || theme === 'high-contrast';
}

/** The query for the background color: OSC 11, introduced by xterm and supported by nearly all terminals. */
const backgroundQuery = '\u001b]11;?\u0007';

/** Milliseconds to wait for the answer. A terminal that has not answered by then probably never will. */
const answerTimeoutMs = 100;

/**
 * Detects whether the terminal's background is dark or light. Until the terminal has answered the query, the variable COLORFGBG decides; if
 * it is not set, the background counts as dark.
 */
export class Background {
  readonly #listeners = new Set<() => void>();
  #isLight: boolean;
  #resolveSettled: (() => void) | undefined;
  #isAwaited = false;

  constructor(env: World['env']) {
    this.#isLight = isLightByVariable(env['COLORFGBG']);
  }

  get isLight(): boolean {
    return this.#isLight;
  }

  /** Whether the terminal may still answer. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Calls a listener when the background becomes light or dark, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sends the query to the terminal. */
  ask(send: (sequence: string) => void): void {
    this.#isAwaited = true;
    send(backgroundQuery);
    setTimeout(() => this.#settle(), answerTimeoutMs);
  }

  /** Handles an answer from the terminal; ignores answers to other queries. */
  readonly take = (answer: string): void => {
    const isLight = isLightColor(answer);
    if (isLight === undefined) return;
    this.#settle();
    if (isLight === this.#isLight) return;
    this.#isLight = isLight;
    for (const listener of this.#listeners) listener();
  };

  /** Resolves when no answer is pending. A shell would treat a later answer as typed input. */
  async settled(): Promise<void> {
    if (!this.#isAwaited) return;
    await new Promise<void>((resolve) => {
      this.#resolveSettled = resolve;
    });
  }

  #settle(): void {
    this.#isAwaited = false;
    this.#resolveSettled?.();
  }
}

/** Perceived brightness above which a background counts as light: half the brightness of white. */
const lightThreshold = 0.5;

/** Returns whether the color in an answer is light; undefined for an answer to another query. */
function isLightColor(answer: string): boolean | undefined {
  const parts = /^\u001b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer)?.slice(1);
  if (parts === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map(
    (hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1),
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > lightThreshold;
}

/**
 * Returns whether COLORFGBG names a light background. The variable has rxvt's format, such as `15;default;0`. Its last part is the
 * background, one of 16 colors.
 */
function isLightByVariable(variable: string | undefined): boolean {
  return /;(?:7|9|1[0-5])$/.test(variable ?? '');
}
