import type { Problem } from '../../src/model/problem.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { Controller } from '../kit/controller.ts';
import { type ConsoleParts, useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { Waiting } from '../ui/frame/Waiting.tsx';
import type { ConsoleConnection } from './connection.ts';
import type { Opening } from './state.ts';

interface ConnectingProps {
  readonly opening: Opening;
  open(choice: SessionChoice): Promise<ConsoleConnection>;
  done(connection: ConsoleConnection): void;
  /** Called if there are several accounts and none is selected. */
  chooseAccount(): void;
  onCancel(): void;
}

/** The reason why the connection could not be opened; undefined while the connection is being opened. */
interface ConnectingState {
  readonly problem: Problem | undefined;
}

class ConnectingController extends Controller<ConnectingState, ConnectingState> {
  readonly #props: ConnectingProps;

  constructor(parts: Pick<ConsoleParts, 'notes'>, props: ConnectingProps) {
    super((_, next) => next, { problem: undefined }, parts.notes);
    this.#props = props;
  }

  readonly connect = (): void => {
    const { opening, open, done, chooseAccount } = this.#props;
    this.dispatch({ problem: undefined });
    this.run({
      name: 'open',
      work: (signal) => openChecked(signal, () => open(opening.choice)),
      done,
      failed: (problem) => {
        if (problem.code === 'account-not-chosen') chooseAccount();
        else this.dispatch({ problem });
      },
    });
  };

  protected override begin(): void {
    this.connect();
  }
}

/** Draws the screen shown while another connection is being opened, or the reason for the failure. Esc returns to the previous view. */
export function Connecting(props: ConnectingProps) {
  const parts = useConsole();
  const connecting = useController(() => new ConnectingController(parts, props));
  const { problem } = connecting.state;
  const { words } = props.opening;
  return (
    <Waiting
      activity={`opening ${words}`}
      title={problem === undefined ? words : `Not opened: ${words}`}
      problem={problem}
      retry={connecting.connect}
      onCancel={props.onCancel}
    />
  );
}

/** Opens a connection and checks its access. If the check fails or `signal` is aborted, closes the connection and throws. */
async function openChecked(
  signal: AbortSignal,
  open: () => Promise<ConsoleConnection>,
): Promise<ConsoleConnection> {
  const connection = await open();
  try {
    await connection.services.access?.check(signal);
    signal.throwIfAborted();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
