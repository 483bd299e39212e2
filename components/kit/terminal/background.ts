import type { World } from '../../../src/world.ts';

/** Asks for the colour of the background: OSC 11, which xterm has and nearly all have taken over. */
const question = '\u001b]11;?\u0007';

/** Milliseconds in which terminals answer; one that has not by then may have none. */
const patience = 100;

/**
 * Whether the terminal is dark or light. Nothing waits for it: until the terminal has answered, and if it never does, COLORFGBG
 * decides; without it the terminal counts as dark. The answer may change at any time.
 */
export class Background {
  readonly #listeners = new Set<() => void>();
  #isLight: boolean;
  #answered: (() => void) | undefined;
  #isAwaited = false;

  constructor(env: World['env']) {
    this.#isLight = isLightBy(env['COLORFGBG']);
  }

  get isLight(): boolean {
    return this.#isLight;
  }

  /** Whether the terminal may still answer. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Calls a listener when it has become light or dark, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks the terminal. */
  ask(send: (sequence: string) => void): void {
    this.#isAwaited = true;
    send(question);
    setTimeout(() => this.#settle(), patience);
  }

  /** Takes an answer of the terminal; another than to this question changes nothing. */
  readonly take = (answer: string): void => {
    const isLight = isLightColour(answer);
    if (isLight === undefined) return;
    this.#settle();
    if (isLight === this.#isLight) return;
    this.#isLight = isLight;
    for (const listener of this.#listeners) listener();
  };

  /** Resolves when an answer need not be waited for any longer: a shell would take it for something typed. */
  async settled(): Promise<void> {
    if (!this.#isAwaited) return;
    await new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
  }

  #settle(): void {
    this.#isAwaited = false;
    this.#answered?.();
  }
}

/** Brightness from which a background is light: half of what white has, as the eye sees it. */
const half = 0.5;

/** Whether the colour in an answer is light; undefined for an answer to something else. */
function isLightColour(answer: string): boolean | undefined {
  const parts = /^\u001b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer)?.slice(1);
  if (parts === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map(
    (hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1),
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > half;
}

/** By the variable that rxvt has begun with, `15;default;0`: the last is the background, one of sixteen colours. */
function isLightBy(variable: string | undefined): boolean {
  return /;(?:7|9|1[0-5])$/.test(variable ?? '');
}
