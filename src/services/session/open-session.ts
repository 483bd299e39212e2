import { dirname, join, resolve } from 'node:path';
import { findDoubt, type Reader } from '../../files/found.ts';
import { describeDoubt } from '../../files/trust-problems.ts';
import { listCapabilities } from '../../model/capability.ts';
import type { Project, UnknownConfigField } from '../../model/config.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { refuseMisspelt } from '../../profiles/misspelt-variable.ts';
import { nearest } from '../../text/nearest.ts';
import type { World } from '../../world.ts';
import { guardedSend } from '../guard/guarded-send.ts';
import { type Backend, openLocalBackend, openRemoteBackend } from './backend.ts';
import { configOptions } from './config-options.ts';
import { interruptibleSend, readOnlySend, signedSend } from './guards.ts';
import { withJurisdictions } from './jurisdictions.ts';
import { once } from './once.ts';
import { readOnlyReason } from './read-only.ts';
import type { Choice, Listener, Session } from './session.ts';
import type { Confirm } from './trust.ts';

/** Opens a session: resolves the backend and the credentials. Connects only at the first call. */
export async function openSession(world: World, choice: Choice, listener: Listener): Promise<Session> {
  refuseMisspelt(world.env);
  const project = once(() => openSessionProject(world, choice, listener));
  const backend: Backend = choice.local
    ? await openLocalBackend(
        world,
        await localFolder(world, choice, listener.confirm),
        () => boundNamespaces(project, choice),
        listener,
      )
    : await openRemoteBackend(world, choice, project, listener);
  const jurisdictions = choice.local ? undefined : withJurisdictions(backend.send);
  const reaching = jurisdictions?.send ?? backend.send;
  const target = choice.local ? 'local' : choice.preview ? 'preview' : 'production';
  const guarded = guardedSend(reaching, backend.where, {
    world,
    command: listener.command,
    target,
    place: backend.label,
    url: backend.where.baseUrl,
    note: (message) => listener.note(message),
    confirm: listener.confirm,
    askWrite: listener.askWrite,
  });
  const send = signedSend(interruptibleSend(guarded.send, world.interrupted), backend.label);
  const reason = await readOnlyReason(world, choice, backend);
  return {
    world,
    choice,
    send: reason === undefined ? send : readOnlySend(send, reason),
    target,
    where: backend.where,
    can: listCapabilities(backend.where),
    label: backend.label,
    note: (message) => listener.note(message),
    credential: backend.credential,
    readOnly: reason !== undefined,
    readOnlyReason: reason,
    boundBy: backend.boundBy,
    brand: backend.brand,
    accountId: once(() => backend.accountId()),
    accountLabel: async () => backend.accountName ?? (await backend.accountId()),
    zoneId: () => backend.zoneId(),
    project,
    bulkBytes: backend.bulkBytes,
    s3Access: (jurisdiction, purpose) => backend.s3Access(jurisdiction, purpose),
    lock: backend.lock,
    jurisdictions,
    ...(backend.apiAccess && { apiAccess: backend.apiAccess }),
    ...(backend.runWorkers && { runWorkers: backend.runWorkers }),
    retries: () => backend.retries(),
    requestsLeft: () => backend.requestsLeft?.(),
    close: () => guarded.close().finally(() => backend.close()),
  };
}

async function openSessionProject(
  world: World,
  choice: Choice,
  listener: Listener,
): Promise<Project | undefined> {
  const { openProject } = await import('../../config/project.ts');
  const project = await openProject(configOptions(world, choice, listener.confirm));
  if (project?.fallback) listener.note(`Using ${project.path}, because no edgectl file was found.`);
  for (const field of project?.unknownFields ?? []) listener.note(describeUnknownField(field));
  if (project === undefined && choice.environment !== undefined) {
    throw new Problem(
      'usage',
      `The environment "${choice.environment}" requires a configuration file, but none was found.`,
      {
        remedy: { kind: 'name-config', file: 'edgectl.toml' },
      },
    );
  }
  return project;
}

/**
 * Returns the folder of local data: the chosen folder, or `.edgectl/state` next to the configuration file, or `.edgectl/state` in the
 * working directory if no configuration file exists. Does not read the configuration file. Throws if the folder is untrusted (see
 * `findLocalFolder`).
 */
export async function localFolder(world: World, choice: Choice, confirm?: Confirm): Promise<string> {
  if (choice.persistTo !== undefined) return resolve(world.cwd, choice.persistTo);
  const { findConfig } = await import('../../config/find.ts');
  const file = await findConfig(configOptions(world, choice, confirm));
  return findLocalFolder(file === undefined ? world.cwd : dirname(file.path));
}

/** Returns the namespaces in the configuration's bindings. The name of the binding is used as the title. */
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

/**
 * Returns the path of the local data below `base`: `.edgectl/state`. Throws if the folder exists but is untrusted, because the user did not
 * specify this folder.
 */
export function findLocalFolder(base: string, reader?: Reader): string {
  const top = join(base, '.edgectl');
  const folder = join(top, 'state');
  const doubt = findDoubt('data-folder', top, reader) ?? findDoubt('data-folder', folder, reader);
  if (doubt === undefined) return folder;
  const owner = doubt.fault === 'owner' ? ', not to you' : '';
  throw new Problem(
    'store-invalid',
    `${doubt.path} ${describeDoubt(doubt)}${owner}; edgectl uses it only if you specify it.`,
    { remedy: { kind: 'name-local-folder', folder } },
  );
}

/** Returns a sentence about an unknown field, with the field name that was likely intended. */
export function describeUnknownField({ name, place, known }: UnknownConfigField): string {
  const near = nearest(name.toLowerCase().replaceAll('-', '_'), known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${place}: unknown field "${name}" is ignored.${meant}`;
}
