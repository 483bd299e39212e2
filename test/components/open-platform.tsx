import { createServices } from '../../components/app/connection.ts';
import { openSession } from '../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../src/services/session/session.ts';
import type { Call, Send } from '../../src/v4/send.ts';
import { demoFolders } from '../support/demo.ts';
import { type TestWorld, testWorld } from '../support/world.ts';
import { type ConsoleOptions, type OpenConsole, openConsole, testNow } from './open-console.tsx';

/** The console on the embedded platform with demo data, and the calls that the console has sent. */
export interface OpenDemo extends OpenConsole {
  readonly session: Session;
  readonly calls: readonly Call[];
  readonly folders: TestWorld['folders'];
}

interface DemoOptions extends ConsoleOptions {
  /** Wraps the platform calls of the console. */
  through?(send: Send): Send;
  /** Whether the console opens on PREVIEW. */
  readonly preview?: boolean;
}

export async function openDemo({
  through = (send) => send,
  preview = false,
  ...options
}: DemoOptions = {}): Promise<OpenDemo> {
  const folders = options.folders ?? (await demoFolders(testNow));
  const world = testWorld({ now: () => testNow, folders });
  const session = await openSession(
    world,
    { ...plainChoice, profile: 'sandbox', preview },
    { note: () => undefined },
  );
  const calls: Call[] = [];
  const send = through(session.send);
  const watched: Session = {
    ...session,
    send(call) {
      calls.push(call);
      return send(call);
    },
  };
  const app = openConsole({
    columns: 120,
    rows: 40,
    opens: { pane: 'home' },
    ...options,
    folders: world.folders,
    services: createServices(watched),
    label: {
      target: preview ? 'preview' : 'production',
      where: session.where,
      accountLabel: 'Demo',
      ...options.label,
    },
  });
  return { ...app, session, calls, folders: world.folders };
}
