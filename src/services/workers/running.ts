import * as v from 'valibot';
import { orMissing } from '../../model/json-record.ts';
import { Problem } from '../../model/problem.ts';
import { type DeployedWorker, findModuleKind, type WorkerModule } from '../../model/workers/worker.ts';
import { callBytes, callResult } from '../../v4/client.ts';
import type { FormPart } from '../../v4/read-form.ts';
import { type Answer, closeBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { type Deployment, listDeployments, newestVersionId, readVersion } from './deployments.ts';
import { ifWorkerExists, scriptCall } from './workers.ts';

type Settings = Omit<DeployedWorker, 'modules'>;

const bindingShape = v.looseObject({ name: v.string(), type: v.string() });
const settingsShape = v.object({
  bindings: v.nullish(v.array(bindingShape), []),
  compatibility_date: orMissing(v.string()),
  compatibility_flags: v.nullish(v.array(v.string()), []),
});
const maxCodeBytes = 128 * 1024 * 1024;

/** A running worker, with the names of the secrets that an upload preserves. */
export interface RunningWorker extends DeployedWorker {
  /** Names of the secrets that an upload preserves: those of the newest version, which may not be the running version. */
  readonly preservedSecrets: readonly string[];
}

/** Reads the running version of a worker, with its code; undefined if the worker does not exist. */
export async function readWorker(session: Session, name: string): Promise<RunningWorker | undefined> {
  const deployments = await ifWorkerExists(() => listDeployments(session, name));
  const running = deployments && (await readRunningSettings(session, name, deployments));
  if (running === undefined) return undefined;
  const version = findRunningId(deployments ?? []);
  return {
    ...running,
    modules: await readModules(session, name, version),
    preservedSecrets: await readKeptSecrets(session, name, running, version),
  };
}

/** Reads the running version of a worker, without its code; undefined if the worker does not exist. */
export async function readWorkerSettings(session: Session, name: string): Promise<Settings | undefined> {
  const deployments = await ifWorkerExists(() => listDeployments(session, name));
  return deployments && readRunningSettings(session, name, deployments);
}

/**
 * Reads the settings as `readWorkerSettings` does, for a caller that already has the deployments. If there are no deployments, reads the
 * newest version.
 */
export async function readRunningSettings(
  session: Session,
  name: string,
  deployments: readonly Deployment[],
): Promise<Settings | undefined> {
  const version = findRunningId(deployments);
  if (version === undefined) return readNewestSettings(session, name);
  const { codeId: _, ...settings } = await readVersion(session, name, version);
  return settings;
}

function findRunningId([deployment]: readonly Deployment[]): string | undefined {
  return deployment?.versions[0]?.id;
}

/** Returns the names of the secrets among the bindings. */
export function secretNames({ bindings }: Pick<Settings, 'bindings'>): string[] {
  return bindings.filter(({ type }) => type.startsWith('secret_')).map(({ name }) => name);
}

/**
 * Returns the names of the secrets that an upload preserves: those of the previous upload (`keep_bindings` in the provider's SDK), even if
 * another version is running.
 */
async function readKeptSecrets(
  session: Session,
  name: string,
  running: Settings,
  version: string | undefined,
): Promise<string[]> {
  const newest = version === undefined ? undefined : await newestVersionId(session, name);
  if (newest === undefined || newest === version) return secretNames(running);
  return secretNames(await readVersion(session, name, newest));
}

async function readNewestSettings(session: Session, name: string): Promise<Settings | undefined> {
  const settings = await ifWorkerExists(async () =>
    callResult(session.send, await scriptCall(session, 'GET', name, ['settings']), (result) =>
      v.parse(settingsShape, result),
    ),
  );
  if (settings === undefined) return undefined;
  const { bindings, compatibility_date: date, compatibility_flags: compatibilityFlags } = settings.result;
  return {
    bindings,
    compatibilityFlags,
    ...(date === undefined ? {} : { compatibilityDate: date }),
  };
}

/** Reads the modules of a version; empty if the platform returns the code in another format. */
async function readModules(session: Session, name: string, version?: string): Promise<WorkerModule[]> {
  const query = version === undefined ? {} : { version };
  const call = await scriptCall(session, 'GET', name, ['content', 'v2'], query);
  const answer = await callBytes(session.send, call);
  const contentType = answer.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) {
    await closeBody(answer);
    return [];
  }
  const parts = await parseModules(name, contentType, answer);
  return parts.map((part) => ({
    name: part.fileName ?? part.name,
    kind: findModuleKind(part.contentType) ?? 'data',
    content: part.content,
  }));
}

async function parseModules(name: string, contentType: string, { body }: Answer): Promise<FormPart[]> {
  const { readForm, MalformedForm } = await import('../../v4/read-form.ts');
  try {
    return await readForm(contentType, body, maxCodeBytes);
  } catch (error) {
    if (!(error instanceof MalformedForm || error instanceof RangeError)) throw error;
    throw new Problem(
      'refused',
      `The platform's response with the code of "${name}" cannot be read: ${error.message}.`,
      {
        hint: 'Try again. A proxy may have truncated the response.',
        cause: error,
      },
    );
  }
}
