import { createServices } from '../../components/app/connection.ts';
import type { Namespace } from '../../src/model/kv/kv.ts';
import { listKeys, type NewValue, readValue, writeValue } from '../../src/services/kv/kv.ts';
import { createNamespace } from '../../src/services/kv/namespaces.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { readBody } from '../../src/v4/send.ts';
import { type ConsoleOptions, type OpenConsole, openConsole } from './open-console.tsx';
import { openPlatform } from './open-objects.tsx';

export interface PlatformKeys extends OpenConsole {
  readonly session: Session;
  readonly namespace: Namespace;
  createNamespace(title: string): Promise<Namespace>;
  put(id: string, key: string, value: string, extra?: Partial<NewValue>): Promise<void>;
  /** Returns the keys of a namespace on the platform. */
  keys(id?: string): Promise<string[]>;
  value(key: string, id?: string): Promise<string | undefined>;
}

export interface PlatformOptions extends ConsoleOptions {
  readonly names?: readonly string[];
  readonly title?: string;
  /** Wraps the platform calls of tasks. */
  wrap?(send: Session['send']): Session['send'];
  /** A promise that must resolve before values are read. */
  readonly gate?: Promise<void>;
  refusePlace?(place: SessionChoice): Error | undefined;
}

function gated(session: Session, gate: Promise<void> | undefined): Session {
  if (gate === undefined) return session;
  return {
    ...session,
    async send(call) {
      if (call.path.endsWith('/bulk/get')) await gate;
      return session.send(call);
    },
  };
}

/** Opens the console on the keys in one namespace, on a platform in this process. Each key's value is its name. */
export async function openPlatformKeys(options: PlatformOptions = {}): Promise<PlatformKeys> {
  const { session } = await openPlatform();
  const { names = ['a', 'b', 'c', 'd', 'e'], title = 'sessions' } = options;
  const namespace = await createNamespace(session, title);
  const put: PlatformKeys['put'] = (id, key, value, extra) =>
    writeValue(session, id, key, { value: Buffer.from(value), anyKey: true, ...extra });
  for (const name of names) await put(namespace.id, name, name);
  const { kv, equivalents } = createServices(gated(session, options.gate));
  const app = openConsole({
    ...options,
    folders: session.world.folders,
    services: { kv, ...(equivalents && { equivalents }) },
    label: { target: 'production', ...options.label },
    async openSession(place) {
      const refused = options.refusePlace?.(place);
      if (refused !== undefined) throw refused;
      const open = { ...session, close: async () => undefined };
      return options.wrap === undefined ? open : { ...open, send: options.wrap(session.send) };
    },
  });
  await app.screen.waitFor('TITLE');
  await app.go(['enter'], names.length === 0 ? 'No keys' : 'META');
  await app.go([], (screen) => /\d keys?( |$)/.test(screen.head()) || /server( |$)/.test(screen.head()));
  return {
    ...app,
    session,
    namespace,
    put,
    createNamespace: (other) => createNamespace(session, other),
    async keys(id = namespace.id) {
      const found: string[] = [];
      for await (const page of listKeys(session, id)) found.push(...page.map(({ name }) => name));
      return found;
    },
    async value(key, id = namespace.id) {
      const found = await readValue(session, id, key);
      return found && Buffer.from(await readBody(found.body)).toString('utf8');
    },
  };
}
