import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { keymap } from '../../../../components/app/keymap.ts';
import { PaneChanges } from '../../../../components/kit/changes.ts';
import { KnownPlaces } from '../../../../components/kit/known.ts';
import { Messages } from '../../../../components/kit/messages.ts';
import { Notes } from '../../../../components/kit/notes.ts';
import { StdinProxy } from '../../../../components/kit/terminal/stdin-proxy.ts';
import { themes } from '../../../../components/kit/theme.ts';
import { type ConsoleParts, ConsoleProvider } from '../../../../components/kit/use-console.ts';
import { Choice } from '../../../../components/ui/forms/Choice.tsx';
import { capabilitiesOf } from '../../../../src/model/capability.ts';
import { testWorld } from '../../../support/world.ts';
import { openMemory } from '../../open-memory.ts';
import { plainSurface } from '../../plain-surface.ts';

const refuse = (): never => {
  throw new Error('a menu needs none of this');
};

const memory = await openMemory();

function parts(): ConsoleParts {
  const world = testWorld({ env: { NO_COLOR: '1' } });
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  return {
    world,
    theme: themes.mono,
    keys: keymap,
    input: new StdinProxy(terminal, () => undefined),
    services: {
      kv: new Proxy({} as ConsoleParts['services']['kv'], { get: refuse }),
    } as ConsoleParts['services'],
    tasks: new Proxy({} as ConsoleParts['tasks'], { get: refuse }),
    session: {
      target: 'local',
      where: { kind: 'local', folder: '/data' },
      can: capabilitiesOf({ kind: 'local' }),
      accountLabel: 'local',
      readOnly: false,
    },
    ...plainSurface(80),
    rows: 24,
    screen: { columns: 80, rows: 24 },
    region: { left: 0, width: 80, columns: 80, isFramed: false, isParent: false },
    togglePreview: refuse,
    toggleMouse: refuse,
    openPanes: [],
    notice: undefined,
    notify: refuse,
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

const items = [
  { label: 'No, change nothing', value: 'no' },
  { label: 'Yes: delete it', value: 'yes' },
] as const;

/** Whether frames have colours is decided when they are loaded, which another file may have done. */
const plain = (frame = '') => stripVTControlCharacters(frame);

test('a menu begins where it is told, moves with arrows and gives what is marked', async () => {
  const chosen: string[] = [];
  const { stdin, lastFrame, unmount } = render(
    <ConsoleProvider value={parts()}>
      <Choice items={items} initial={0} active onChoose={(value) => chosen.push(value)} />
    </ConsoleProvider>,
  );
  expect(plain(lastFrame())).toBe('> No, change nothing\n  Yes: delete it');
  // Ink listens once its effects have run.
  await vi.waitFor(() => expect(stdin.listenerCount('readable')).toBeGreaterThan(0), { timeout: 10_000 });
  stdin.write('\u001b[B');
  await vi.waitFor(() => expect(plain(lastFrame())).toContain('> Yes: delete it'), { timeout: 10_000 });
  stdin.write('\r');
  await vi.waitFor(() => expect(chosen).toEqual(['yes']), { timeout: 10_000 });
  unmount();
});

test('a menu that is not active takes no press', async () => {
  const chosen: string[] = [];
  const { stdin, lastFrame, rerender, unmount } = render(
    <ConsoleProvider value={parts()}>
      <Choice items={items} initial={1} active={false} onChoose={(value) => chosen.push(value)} />
    </ConsoleProvider>,
  );
  stdin.write('\r');
  rerender(
    <ConsoleProvider value={parts()}>
      <Choice items={items} initial={1} active={false} onChoose={(value) => chosen.push(value)} />
    </ConsoleProvider>,
  );
  expect(plain(lastFrame())).toContain('> Yes: delete it');
  expect(chosen).toEqual([]);
  unmount();
});

test('a menu that gets fewer rows keeps its mark on the screen, and gives what is marked', async () => {
  const chosen: string[] = [];
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ label: value, value }));
  const limitedTo = (limit: number) => (
    <ConsoleProvider value={parts()}>
      <Choice items={many} initial={4} active limit={limit} onChoose={(value) => chosen.push(value)} />
    </ConsoleProvider>
  );
  const { stdin, lastFrame, rerender, unmount } = render(limitedTo(6));
  await vi.waitFor(() => expect(stdin.listenerCount('readable')).toBeGreaterThan(0), { timeout: 10_000 });
  stdin.write('\u001b[B');
  await vi.waitFor(() => expect(plain(lastFrame())).toContain('> f'), { timeout: 10_000 });
  rerender(limitedTo(2));
  await vi.waitFor(() => expect(plain(lastFrame())).toBe('  e\n> f'), { timeout: 10_000 });
  stdin.write('\r');
  await vi.waitFor(() => expect(chosen).toEqual(['f']), { timeout: 10_000 });
  unmount();
});
