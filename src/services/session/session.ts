import { dirname, resolve } from 'node:path';
import type { Project } from '../../model/config.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { foundFolder } from './found-folder.ts';
import { interruptibleSend, readOnlySend, signedSend } from './guards.ts';
import { openLocalPlace, openRemotePlace, type Place } from './place.ts';

/** Where to act and as whom, as it was chosen by flags or in the console. */
export interface Choice {
  /** Act on local data instead of an account. */
  readonly local: boolean;
  /** Take preview ids of bindings instead of production ones. */
  readonly preview: boolean;
  /** Folder of local data, absolute or from the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the sandbox, absolute or from the working directory; left out, the environment's or the user's own. */
  readonly sandboxDir: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly apiBaseUrl: string | undefined;
  readonly configPath: string | undefined;
  readonly jsonConfig: boolean;
  /** `[env.NAME]` of the configuration. */
  readonly environment: string | undefined;
  readonly readOnly: boolean;
}

/** A choice in which nothing is chosen. */
export const plainChoice: Choice = {
  local: false,
  preview: false,
  persistTo: undefined,
  profile: undefined,
  sandboxDir: undefined,
  accountId: undefined,
  zoneId: undefined,
  apiBaseUrl: undefined,
  configPath: undefined,
  jsonConfig: false,
  environment: undefined,
  readOnly: false,
};

/** Who is told of what happens on the way. Messages may hold bytes from outside. */
export interface Listener {
  /** Worth knowing: a retry, a wrangler file read instead of an edgectl one. */
  note(message: string): void;
  /** One line a request; left out, requests are not watched. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Told the credentials of a platform, to keep them out of what is shown, before anything is sent there. */
  readonly conceal?: ((secrets: readonly string[]) => void) | undefined;
}

/** What every service needs: a way to the platform, and who asks. Closed by whoever opened it. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  readonly target: Target;
  /** The profile acted as; "environment" for credentials of the environment, "local" for local data. */
  readonly profileName: string;
  /** Base URL of the platform; a name in words where there is none (data in this process). */
  readonly apiBaseUrl: string;
  /** Kind of credential in words, never the credential. */
  readonly credential: string;
  /** Where it acts, in words, for people: "profile acme", "the sandbox", "local data in /x/.edgectl/state". */
  readonly label: string;
  readonly readOnly: boolean;
  /** Account acted on. Refuses with account-not-chosen when there are several and none is chosen. */
  accountId(): Promise<string>;
  /** The account's name where it is known without asking, else its id. */
  accountLabel(): Promise<string>;
  /** The zone chosen by flag, environment, file or profile, if any. */
  zoneId(): Promise<string | undefined>;
  /** The configuration as the chosen environment sees it, read at first use; undefined where there is no file. */
  project(): Promise<Project | undefined>;
  /** Brand word of the platform's field names. */
  readonly brand: string;
  /** Bytes of a bulk request's body that suit the place: many are few requests, few are little memory. */
  readonly bulkBytes: number;
  /** Requests that have been repeated so far, for progress. */
  retries(): number;
  /** Tells whoever opened it what is worth knowing on the way. */
  note(message: string): void;
  close(): Promise<void>;
}

/** Opens a session: finds out where to act and as whom, and connects nothing before the first call. */
export async function openSession(world: World, choice: Choice, listener: Listener): Promise<Session> {
  const project = once(() => openProjectOf(world, choice, listener));
  const place: Place = choice.local
    ? await openLocalPlace(
        world,
        await localFolder(world, choice),
        () => boundNamespaces(project, choice),
        listener,
      )
    : await openRemotePlace(world, choice, project, listener);
  const send = signedSend(interruptibleSend(place.send, world.interrupted), place.label);
  return {
    world,
    choice,
    send: choice.readOnly ? readOnlySend(send) : send,
    target: choice.local ? 'local' : choice.preview ? 'preview' : 'production',
    profileName: place.profileName,
    label: place.label,
    apiBaseUrl: place.apiBaseUrl,
    note: (message) => listener.note(message),
    credential: place.credential,
    readOnly: choice.readOnly,
    brand: place.brand,
    accountId: once(() => place.accountId()),
    accountLabel: async () => place.accountName ?? (await place.accountId()),
    zoneId: () => place.zoneId(),
    project,
    bulkBytes: place.bulkBytes,
    retries: () => place.retries(),
    close: () => place.close(),
  };
}

async function openProjectOf(world: World, choice: Choice, listener: Listener): Promise<Project | undefined> {
  const { openProject } = await import('../../config/project.ts');
  const project = await openProject(configOptions(world, choice));
  if (project?.fallback) listener.note(`Read ${project.path}, because there is no edgectl file.`);
  if (project === undefined && choice.environment !== undefined) {
    throw new Problem('usage', `--env ${choice.environment} needs a configuration file, and there is none.`, {
      hint: 'Create edgectl.toml, or name a file with --config.',
    });
  }
  return project;
}

function configOptions(world: World, choice: Choice) {
  return {
    cwd: world.cwd,
    config: choice.configPath,
    json: choice.jsonConfig,
    environment: choice.environment,
  };
}

/**
 * Local data lie beside the configuration file, else in the working directory; only the file's place is looked at. Refuses
 * a folder that was found and is not the user's (`foundFolder`).
 */
export async function localFolder(world: World, choice: Choice): Promise<string> {
  if (choice.persistTo !== undefined) return resolve(world.cwd, choice.persistTo);
  const { findConfig } = await import('../../config/find.ts');
  const file = await findConfig(configOptions(world, choice));
  return foundFolder(file === undefined ? world.cwd : dirname(file.path));
}

/** The namespaces that the configuration binds; their bindings are their titles. */
async function boundNamespaces(
  project: () => Promise<Project | undefined>,
  choice: Choice,
): Promise<Namespace[]> {
  const bindings = (await project())?.kvNamespaces ?? [];
  return bindings.flatMap(({ binding, id, previewId }) => {
    const chosen = choice.preview ? previewId : id;
    return chosen === undefined ? [] : [{ id: chosen, title: binding }];
  });
}

/** The same promise each time; made at the first call, and made again after a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
