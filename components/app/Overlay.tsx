import type { Dispatch } from 'react';
import type { Target } from '../../src/model/target.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { Press } from '../kit/keys/presses.ts';
import { useConsole } from '../kit/use-console.ts';
import { Palette } from '../palette/Palette.tsx';
import { Menu } from '../ui/forms/Menu.tsx';
import { ConfirmLeaving } from './ConfirmLeaving.tsx';
import { Connecting } from './Connecting.tsx';
import type { ConsoleConnection } from './connection.ts';
import { Equivalents } from './Equivalents.tsx';
import { Going } from './Going.tsx';
import { Help } from './Help.tsx';
import { SessionFinder } from './SessionFinder.tsx';
import type { ConsoleEvent, Opening, Overlay } from './state.ts';

interface OverlayProps {
  readonly overlay: Overlay;
  /** The choice with which the current connection was opened. */
  readonly choice: SessionChoice;
  /** The name of the profile with which the console was opened. */
  readonly first: string;
  readonly dispatch: Dispatch<ConsoleEvent>;
  open(choice: SessionChoice): Promise<ConsoleConnection>;
  adopt(connection: ConsoleConnection): void;
}

const targets = [
  { label: 'production', value: 'production' },
  { label: 'preview', value: 'preview' },
  { label: 'local', value: 'local' },
] as const;

/**
 * Draws the overlay that covers the pane: the help, the palette, a menu, or the screen shown while a link is looked up or a connection is
 * opened.
 */
export function OverlayView({ overlay, choice: opened, first, dispatch, open, adopt }: OverlayProps) {
  const { session, drafts, runningWrite } = useConsole();
  const choice = { ...opened, target: session.target };
  const cover = (next: Overlay | undefined) => dispatch({ type: 'covered', overlay: next });
  const close = () => cover(undefined);
  const closeThen = (perform: (press: Press) => void) => (press: Press) => {
    close();
    perform(press);
  };
  const isLoss = drafts.size > 0 || runningWrite !== undefined;
  const leaveFor = (opening: Opening) => cover({ kind: isLoss ? 'leaving' : 'opening', ...opening });
  const choose = (target: Target) =>
    target === session.target ? close() : leaveFor({ choice: { ...choice, target }, words: target });
  switch (overlay.kind) {
    case 'help':
      return <Help {...overlay} perform={closeThen(overlay.perform)} onClose={close} />;
    case 'palette':
      return <Palette {...overlay} perform={closeThen(overlay.perform)} onClose={close} />;
    case 'going':
      return (
        <Going
          key={overlay.link}
          link={overlay.link}
          arrive={(panes) => dispatch({ type: 'went', panes, pending: overlay.pending })}
          onCancel={close}
        />
      );
    case 'targets': {
      const initial = targets.findIndex(({ value }) => value === session.target);
      const items = targets.map((item) => ({ ...item, isPresent: item.value === session.target }));
      return <Menu title="Target" items={items} initial={initial} onChoose={choose} onCancel={close} />;
    }
    case 'equivalents':
      return <Equivalents found={overlay.found} onClose={close} />;
    case 'acting':
      return (
        <SessionFinder choice={choice} first={first} of={overlay.of} choose={leaveFor} onClose={close} />
      );
    case 'leaving':
      return (
        <ConfirmLeaving
          words={overlay.words}
          leave={() => cover({ ...overlay, kind: 'opening' })}
          onCancel={close}
        />
      );
    case 'opening':
      return (
        <Connecting
          opening={overlay}
          open={open}
          done={(connection) => {
            adopt(connection);
            dispatch({ type: 'connected', connection, area: overlay.area });
          }}
          chooseAccount={() => cover({ kind: 'acting', of: overlay.choice })}
          onCancel={close}
        />
      );
  }
}
