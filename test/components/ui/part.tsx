import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { Fragment, type ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { keymap } from '../../../components/app/keymap.ts';
import { PaneChanges } from '../../../components/kit/changes.ts';
import { HeldWatch } from '../../../components/kit/held-watch.ts';
import { KnownPlaces } from '../../../components/kit/known.ts';
import { LiveSwitch } from '../../../components/kit/live-switch.ts';
import { Messages } from '../../../components/kit/messages.ts';
import { Notes } from '../../../components/kit/notes.ts';
import { StdinProxy } from '../../../components/kit/terminal/stdin-proxy.ts';
import { resolveTheme } from '../../../components/kit/theme.ts';
import { type ConsoleParts, ConsoleProvider } from '../../../components/kit/use-console.ts';
import { listCapabilities } from '../../../src/model/capability.ts';
import { WriteQuestions } from '../../../src/services/guard/write-questions.ts';
import { testWorld } from '../../support/world.ts';
import { openMemory } from '../open-memory.ts';
import { plainSurface } from '../plain-surface.ts';

const refuse = (): never => {
  throw new Error('a single component does not use the function');
};

const memory = await openMemory();

/** The header counts the running tasks, so it needs a list of tasks. */
const noTasks = { tasks: [], subscribe: () => () => undefined };

/** Returns the console parts for a single component: a screen and keys, but no services. */
function partsOn(columns: number, rows: number): ConsoleParts {
  const world = testWorld({ env: { NO_COLOR: '1' } });
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  return {
    world,
    live: new LiveSwitch(false),
    held: new HeldWatch(world, () => undefined, new WriteQuestions(world)),
    theme: resolveTheme('mono', { isLight: false }),
    keys: keymap,
    input: new StdinProxy(terminal, () => undefined),
    services: {
      kv: new Proxy({} as ConsoleParts['services']['kv'], { get: refuse }),
    } as ConsoleParts['services'],
    tasks: new Proxy({} as ConsoleParts['tasks'], {
      get: (_, name) => (name === 'list' ? noTasks : refuse()),
    }),
    session: {
      target: 'local',
      where: { kind: 'local', folder: '/data' },
      can: listCapabilities({ kind: 'local' }),
      accountLabel: 'local',
      readOnly: false,
    },
    ...plainSurface(columns),
    rows,
    screen: { columns, rows },
    region: { left: 0, width: columns, columns, isFramed: false },
    division: { hasPreview: true, share: undefined, drag: refuse },
    togglePreview: refuse,
    toggleMouse: refuse,
    toggleLive: refuse,
    reportWrites: refuse,
    recall: refuse,
    unsettledWrites: 0,
    runningWrite: undefined,
    openPanes: [],
    notice: undefined,
    pending: undefined,
    clearPending: refuse,
    notify: () => undefined,
    notes: new Notes(new Messages(() => 0)),
    messages: new Messages(() => 0),
    dismiss: refuse,
    memory,
    showEquivalents: refuse,
    known: new KnownPlaces(),
    bookmark: refuse,
    copyLink: refuse,
    goTo: refuse,
    step: refuse,
    showPalette: refuse,
    changes: new PaneChanges(),
    open: refuse,
    become: refuse,
    back: refuse,
    turnTo: refuse,
    showHelp: refuse,
    chooseTarget: refuse,
    chooseActing: refuse,
    quit: refuse,
    copy: refuse,
    drafts: new Map(),
    editOutside: refuse,
  };
}

giveRows();

/**
 * Gives the screens of ink-testing-library a number of rows. Without this number, Ink starts `tput` and `resize` for each frame. Each fork
 * is slow, because the test process is large: the forks take 12 s of processor time across all tests.
 */
function giveRows(): void {
  const { stdout, unmount } = render(<Fragment />);
  Object.defineProperty(Object.getPrototypeOf(stdout), 'rows', { value: 24 });
  unmount();
}

/** Renders a single component on a screen (default: 80x24). */
export function renderPart(part: ReactNode, { columns = 80, rows = 24 } = {}) {
  const parts = partsOn(columns, rows);
  const inside = (node: ReactNode) => <ConsoleProvider value={parts}>{node}</ConsoleProvider>;
  const { stdin, lastFrame, rerender, unmount } = render(inside(part));
  onTestFinished(unmount);
  // Ink decides whether to use colors when it is loaded, possibly for another test file.
  const lines = () => stripVTControlCharacters(lastFrame() ?? '').split('\n');
  return {
    lines,
    text: () => lines().join('\n'),
    again: (node: ReactNode) => rerender(inside(node)),
    write: (keys: string) => void stdin.write(keys),
    /** Types the keys after Ink has started to read input. */
    async type(keys: string) {
      await vi.waitFor(() => {
        if (stdin.listenerCount('readable') === 0) throw new Error('Ink does not listen yet');
      });
      stdin.write(keys);
    },
  };
}
