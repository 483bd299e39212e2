import './environment.ts';

import { render } from 'ink';
import type { World } from '../src/world.ts';
import { Console } from './Console.tsx';
import { restoreEnvironment } from './environment.ts';
import type { Connection } from './services.ts';
import type { SessionChoice } from './session-label.ts';
import { openTerminal } from './terminal.ts';

export { keymapRows } from './keymap.ts';
export { type Connection, type Services, servicesOver } from './services.ts';
export type { SessionChoice, SessionLabel } from './session-label.ts';

/**
 * Runs the console until the reader leaves it, and resolves with the exit code: 0 for quit, 130 for an interrupt.
 * Refuses a terminal that it cannot run on, and whatever opening the first session refuses, with the screen
 * untouched. The terminal is as it was before when this resolves or rejects.
 */
export async function runConsole(
  world: World,
  open: (choice: SessionChoice) => Promise<Connection>,
): Promise<number> {
  restoreEnvironment();
  const terminal = openTerminal(world);
  const used = { connection: await open({}) };
  const closing: Promise<void>[] = [];
  const adopt = (connection: Connection) => {
    closing.push(used.connection.close());
    used.connection = connection;
  };
  const props = { world, terminal, connection: used.connection, open, adopt };
  try {
    const code = await render(<Console {...props} />, terminal.options).waitUntilExit();
    return typeof code === 'number' ? code : 0;
  } finally {
    await Promise.allSettled([...closing, used.connection.close()]);
  }
}
