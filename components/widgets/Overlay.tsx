import type { Dispatch } from 'react';
import type { Target } from '../../src/model/target.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { ConsoleEvent, Overlay } from '../console/state.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { Menu } from '../forms/Menu.tsx';
import type { Press } from '../keymap/presses.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { Palette } from '../palette/Palette.tsx';
import { Going } from '../places/Going.tsx';
import type { KeptConnection } from '../places/kept-connection.ts';
import { Equivalents } from './Equivalents.tsx';
import { Frame } from './Frame.tsx';
import { Help } from './Help.tsx';
import { ProblemBox } from './ProblemBox.tsx';

interface OverlayProps {
  readonly overlay: Overlay;
  readonly dispatch: Dispatch<ConsoleEvent>;
  open(choice: SessionChoice): Promise<KeptConnection>;
  adopt(connection: KeptConnection): void;
}

const targets = [
  { label: 'production', value: 'production' },
  { label: 'preview', value: 'preview' },
  { label: 'local', value: 'local' },
] as const;

/** The screen that covers the pane: help, the choice of a target, or the opening of another session. */
export function OverlayOf({ overlay, dispatch, open, adopt }: OverlayProps) {
  const { session, rows } = useConsole();
  const run = useRun();
  const situation = { readOnly: session.readOnly, selected: true };
  const close = () => dispatch({ type: 'covered', overlay: undefined });
  const closing = (perform: (press: Press) => void) => (press: Press) => {
    close();
    perform(press);
  };
  const choose = (target: Target) => {
    if (target === session.target) return close();
    dispatch({ type: 'covered', overlay: { kind: 'opening', target } });
    run({
      name: 'open',
      work: (signal) => openUnless(signal, () => open({ target })),
      done(connection) {
        adopt(connection);
        dispatch({ type: 'connected', connection });
      },
      failed: (problem) => dispatch({ type: 'covered', overlay: { kind: 'problem', problem, target } }),
    });
  };
  switch (overlay.kind) {
    case 'help':
      return <Help {...overlay} perform={closing(overlay.perform)} onClose={close} />;
    case 'palette':
      return <Palette {...overlay} perform={closing(overlay.perform)} onClose={close} />;
    case 'going':
      return (
        <Going
          key={overlay.link}
          link={overlay.link}
          arrive={(panes) => dispatch({ type: 'went', panes })}
          onCancel={close}
        />
      );
    case 'targets': {
      const initial = targets.findIndex(({ value }) => value === session.target);
      return <Menu title="Target" items={targets} initial={initial} onChoose={choose} onCancel={close} />;
    }
    case 'equivalents':
      return <Equivalents found={overlay.found} onClose={close} />;
    case 'opening':
      return <Opening target={overlay.target} onCancel={close} />;
    case 'problem':
      return (
        <Frame mode="problem" situation={situation} title="Target">
          <ProblemBox
            problem={overlay.problem}
            height={bodyHeight(rows)}
            active
            retry={() => choose(overlay.target)}
            dismiss={close}
          />
        </Frame>
      );
  }
}

/** Drawn until the session is open; leaving it drops the session. */
function Opening({ target, onCancel }: { target: Target; onCancel(): void }) {
  const { session } = useConsole();
  const situation = {
    readOnly: session.readOnly,
    selected: true,
    busy: { kind: 'reading', words: `opening ${target}` } as const,
  };
  useShortcuts('menu', { active: true, situation, act: (action) => action === 'cancel' && onCancel() });
  return <Frame mode="menu" situation={situation} title="Target" />;
}

/** A connection that nobody waits for any more is closed. */
async function openUnless(signal: AbortSignal, open: () => Promise<KeptConnection>): Promise<KeptConnection> {
  const connection = await open();
  if (signal.aborted) await connection.close();
  return connection;
}
