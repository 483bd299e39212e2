import type { RenderOptions } from 'ink';
import { Problem } from '../../../src/model/problem.ts';
import type { Manners } from '../../../src/services/session/manners.ts';
import type { World } from '../../../src/world.ts';
import { Background } from './background.ts';
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
  /** What is drawn on: its size. */
  readonly screen: Pick<ScreenStream, 'size' | 'onMeasured'>;
  readonly redraw: Redraw;
  readonly background: Background;
  /** Reads from now on, so that typing during the console's start is kept; Ctrl-C interrupts the start. */
  begin(): void;
  /** Ends what `begin` began, also if no screen followed. Waits briefly for pending answers of the terminal. */
  end(): Promise<void>;
  /** Sets the modes that Ink does not know: pastes in brackets and, on a screen, no automatic wrapping. */
  enter(): void;
  /** Takes them back. */
  leave(): void;
  /** Takes the terminal again after a stop that this program did not request: a shell has set its own modes. */
  reclaim(): void;
  /** Takes the mouse, or leaves it to the terminal; the answer says which. */
  turnMouse(): boolean;
  /** Writes a sequence that draws nothing. */
  send(sequence: string): void;
}

/** A glyph that a terminal draws wider than we think must not wrap a full line, or the screen would scroll. */
const modesOn = '\u001b[?7l\u001b[?2004h';
/** Lines that scroll by may wrap. */
const linearModesOn = '\u001b[?2004h';
/** The alternate screen, without a cursor. */
const screenOn = '\u001b[?1049h\u001b[?25l';
const modesOff = '\u001b[?2004l\u001b[?7h';

/**
 * The terminal of a World. Refuses what is not one: input or output that is no TTY, and TERM=dumb. Ink itself would
 * stay blank there, or throw in the middle.
 */
export function openTerminal(world: World, manners: Manners): Terminal {
  const { stdin, stdout, stderr, env } = world;
  if (!isTerminalInput(stdin) || stdout.isTTY !== true) {
    throw new Problem('usage', 'The console needs a terminal on standard input and output.', {
      hint: 'In scripts use the commands: edgectl --help lists them.',
    });
  }
  if (env['TERM'] === 'dumb') {
    throw new Problem('usage', 'The console cannot draw on a terminal with TERM=dumb.', {
      hint: 'Use the commands instead: edgectl --help lists them.',
    });
  }
  const background = new Background(env);
  const send = (sequence: string) => void stdout.write(sequence);
  const input = new StdinProxy(stdin, () => send(statusRequest));
  const spoken = manners.screenReader ? new LinearStream(stdout, world.now) : undefined;
  const screen = spoken ?? new ScreenStream(stdout);
  const redraw = new Redraw(stdout, screen);
  const modes = spoken === undefined ? modesOn : linearModesOn;
  let isStarting = true;
  let hasMouse = manners.mouse && spoken === undefined;
  return {
    input,
    options: { ...renderOptions(input, screen, stderr), ...(spoken && spokenOptions) },
    screen,
    redraw,
    background,
    begin() {
      input.watch((press) => (press === ctrlC ? interruptAtOnce() : undefined));
      input.begin(() => (isStarting ? send(lineCleared) : undefined));
      input.onAnswer(background.take);
      if (spoken !== undefined) stdin.on('data', spoken.asked);
      // The console of Linux writes what it does not know.
      if (manners.theme === 'auto' && env['TERM'] !== 'linux') background.ask(send);
    },
    async end() {
      if (background.isAwaited) input.begin(() => undefined);
      await background.settled();
      if (spoken !== undefined) stdin.off('data', spoken.asked);
      input.end();
    },
    enter() {
      if (isStarting && spoken !== undefined) send(spokenGreeting);
      isStarting = false;
      send(hasMouse ? modes + mouseOn : modes);
    },
    leave: () => send(mouseOff + modesOff),
    turnMouse() {
      hasMouse = !hasMouse;
      send(hasMouse ? mouseOn : mouseOff);
      return hasMouse;
    },
    reclaim() {
      if (redraw.isElsewhere) return;
      input.setRawMode(false).setRawMode(true);
      send(`${spoken === undefined ? screenOn : ''}${modes}${hasMouse ? mouseOn : ''}`);
      redraw.resume();
    },
    send,
  };
}

/**
 * Input typed before echo was turned off is on the line: the first frame would begin after it, and so would an error. If
 * nothing was typed, the line belongs to another program.
 */
const lineCleared = '\r\u001b[K';

const ctrlC = '\u0003';

function interruptAtOnce(): 'overtakes' {
  interrupt();
  return 'overtakes';
}

/** Ink gives each frame as lines of words, one after the other, and leaves the screen to us. */
const spokenOptions = { isScreenReaderEnabled: true, debug: true, alternateScreen: false } as const;

const spokenGreeting = 'Screen-reader mode: what changes is written as lines. ? lists the keys, q leaves.\n';

/** `interactive`, because Ink would draw nothing where CI is set; 60 frames, since keys repeat 30 times a second. */
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
