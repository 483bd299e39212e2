import { resolve } from 'node:path';
import type { Send } from '../v4/send.ts';
import type { World } from '../world.ts';

/** Where to act and as whom, as it was chosen by flags or in the console. */
export interface Choice {
  readonly local: boolean;
  /** Folder of local data, absolute or from the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly apiBaseUrl: string | undefined;
  readonly configPath: string | undefined;
  readonly jsonConfig: boolean;
  /** `[env.NAME]` of the configuration. */
  readonly environment: string | undefined;
  readonly readOnly: boolean;
  readonly debug: boolean;
}

/** Who is told of what happens on the way. */
export interface Listener {
  note(message: string): void;
  debug(message: string): void;
}

/** What every service needs: a way to the platform, and who asks. Closed by whoever opened it. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  /** Where it acts, in words, for people: "production (acme)", "local data in .edgectl/state". */
  readonly label: string;
  readonly readOnly: boolean;
  accountId(): Promise<string>;
  close(): Promise<void>;
}

export async function openSession(world: World, choice: Choice, _listener: Listener): Promise<Session> {
  const root = resolve(world.cwd, choice.persistTo ?? '.edgectl/state');
  const { openSandbox } = await import('../sandbox/app.ts');
  const sandbox = openSandbox({
    kind: 'local',
    folder: root,
    persistRoot: root,
    now: world.now,
    random: world.random,
  });
  return {
    world,
    choice,
    send: sandbox.send,
    label: `local data in ${root}`,
    readOnly: choice.readOnly,
    accountId: async () => 'local',
    close: async () => sandbox.close(),
  };
}
