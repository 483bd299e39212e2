import type { RenderOptions } from 'ink';
import { Problem } from '../../../src/model/problem.ts';
import type { DisplaySettings } from '../../../src/services/session/display-settings.ts';
import type { World } from '../../../src/world.ts';
import { Background, followsBackground } from './background.ts';
import { LinearStream } from './linear-stream.ts';
import { mouseOff, mouseOn } from './mouse.ts';
import { Redraw } from './redraw.ts';
import { ScreenStream } from './screen-stream.ts';
import { interrupt } from './signals.ts';
import { isTerminalInput, StdinProxy } from './stdin-proxy.ts';
import { statusRequest } from './typed-ahead.ts';

/** The terminal that the console runs on. */
export interface Terminal {
  readonly input: StdinProxy;
  readonly options: RenderOptions;
  /** The size of the drawn screen. */
  readonly screen: Pick<ScreenStream, 'size' | 'onMeasured'>;
  readonly redraw: Redraw;
  readonly background: Background;
  /** Starts reading, to keep input that is typed while the console starts. Ctrl-C then interrupts the start. */
  begin(): void;
  /** Reverts `begin`, even if no screen was opened. Waits, up to a timeout, for pending answers from the terminal. */
  end(): Promise<void>;
  /** Sets the modes that Ink does not set: bracketed paste and, except for screen readers, no automatic wrapping. */
  enter(): void;
  /** Resets the modes set by `enter`. */
  leave(): void;
  /** Sets all modes again after a stop that this program did not request, because the shell has set its own modes. */
  reclaim(): void;
  /** Switches mouse reporting on or off; returns whether it is on. */
  toggleMouse(): boolean;
  /** Writes a sequence that does not draw. */
  send(sequence: string): void;
}

/** Turns on bracketed paste, and turns off wrapping: a glyph that is wider than calculated would wrap its line and scroll the screen. */
const modesOn = '\u001b[?7l\u001b[?2004h';
/** The modes for a screen reader, whose lines may wrap. */
const linearModesOn = '\u001b[?2004h';
/** Switches to the alternate screen and hides the cursor. */
const screenOn = '\u001b[?1049h\u001b[?25l';
const modesOff = '\u001b[?2004l\u001b[?7h';

/**
 * Opens the terminal of a World. Throws a Problem if input or output is not a TTY, or TERM is `dumb`: Ink would draw nothing, or would
 * throw while drawing.
 */
export function openTerminal(world: World, displaySettings: DisplaySettings): Terminal {
  const { stdin, stdout, stderr, env } = world;
  if (!isTerminalInput(stdin) || stdout.isTTY !== true) {
    throw new Problem('usage', 'The console requires a terminal on standard input and output.', {
      hint: 'In scripts, use commands instead: edgectl --help lists them.',
    });
  }
  if (env['TERM'] === 'dumb') {
    throw new Problem('usage', 'The console cannot draw on a terminal with TERM=dumb.', {
      hint: 'Use commands instead: edgectl --help lists them.',
    });
  }
  const background = new Background(env);
  const send = (sequence: string) => void stdout.write(sequence);
  const input = new StdinProxy(stdin, () => send(statusRequest));
  const spoken = displaySettings.screenReader ? new LinearStream(stdout, world.now) : undefined;
  const screen = spoken ?? new ScreenStream(stdout);
  const redraw = new Redraw(stdout, screen);
  const modes = spoken === undefined ? modesOn : linearModesOn;
  let isStarting = true;
  let hasMouse = displaySettings.mouse && spoken === undefined;
  return {
    input,
    options: { ...renderOptions(input, screen, stderr), ...(spoken && screenReaderOptions) },
    screen,
    redraw,
    background,
    begin() {
      input.watch((press) => (press === ctrlC ? interruptNow() : undefined));
      input.begin(() => (isStarting ? send(clearLine) : undefined));
      input.onAnswer(background.take);
      if (spoken !== undefined) stdin.on('data', spoken.onInput);
      // The Linux console would print the query, which it does not support.
      if (followsBackground(displaySettings.theme) && env['TERM'] !== 'linux') background.ask(send);
    },
    async end() {
      if (background.isAwaited) input.begin(() => undefined);
      await background.settled();
      if (spoken !== undefined) stdin.off('data', spoken.onInput);
      input.end();
    },
    enter() {
      if (isStarting && spoken !== undefined) send(screenReaderGreeting);
      isStarting = false;
      send(hasMouse ? modes + mouseOn : modes);
    },
    leave: () => send(mouseOff + modesOff),
    toggleMouse() {
      hasMouse = !hasMouse;
      send(hasMouse ? mouseOn : mouseOff);
      return hasMouse;
    },
    reclaim() {
      if (redraw.isPaused) return;
      input.setRawMode(false).setRawMode(true);
      send(`${spoken === undefined ? screenOn : ''}${modes}${hasMouse ? mouseOn : ''}`);
      redraw.resume();
    },
    send,
  };
}

/**
 * Clears the line with input that was echoed before the echo was turned off: otherwise the first frame, or an error, would begin after this
 * input. Sent only if input was typed, because the line may otherwise be another program's output.
 */
const clearLine = '\r\u001b[K';

const ctrlC = '\u0003';

function interruptNow(): 'overtakes' {
  interrupt();
  return 'overtakes';
}

/** Makes Ink write each frame as lines of text, one below another. */
const screenReaderOptions = { isScreenReaderEnabled: true, debug: true, alternateScreen: false } as const;

const screenReaderGreeting =
  'Screen-reader mode: changes are written as lines. Press ? for the keys, q to quit.\n';

/**
 * Returns the options for Ink. `interactive` is set because Ink otherwise draws nothing if the variable CI is set. The frame rate is 60 per
 * second, because held keys repeat 30 times per second.
 */
function renderOptions(input: StdinProxy, stdout: ScreenStream, stderr: World['stderr']): RenderOptions {
  return {
    stdin: input,
    stdout,
    stderr,
    alternateScreen: true,
    interactive: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    maxFps: 60,
    patchConsole: true,
  };
}
