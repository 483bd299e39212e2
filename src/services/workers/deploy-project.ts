import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Project } from '../../model/config.ts';
import { Problem } from '../../model/problem.ts';
import type { Remedy } from '../../model/remedy.ts';
import { explainCompatibilityDate, type WorkerBinding } from '../../model/workers/worker.ts';
import type { Session } from '../session/session.ts';
import { checkWorkerName } from './workers.ts';

/** The properties of a worker that the command line specifies. These properties override the configuration. */
export interface WorkerChoice {
  /** Path of the entry, relative to the working directory. */
  readonly entry?: string | undefined;
  readonly name?: string | undefined;
  readonly compatibilityDate?: string | undefined;
}

/** A worker to bundle. */
export interface WorkerProject {
  readonly name: string;
  /** Absolute path of the entry. */
  readonly entry: string;
  /** Whether the user typed the entry on the command line. */
  readonly isTyped: boolean;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** The configuration; undefined if no configuration file exists. */
  readonly project: Project | undefined;
}

/** Returns the worker that a command acts on. Throws if its name, entry or compatibility date is missing or invalid. */
export async function findWorkerProject(session: Session, choice: WorkerChoice): Promise<WorkerProject> {
  const project = await session.project();
  const name = await workerName(session, choice.name);
  const entry = await resolveEntry(session, project, choice.entry);
  await refuseMissing(entry);
  const compatibilityDate = choice.compatibilityDate ?? project?.compatibilityDate;
  if (compatibilityDate === undefined) {
    throw await missingValueProblem(session, 'compatibility_date', { kind: 'give-compatibility-date' });
  }
  const fault = explainCompatibilityDate(compatibilityDate);
  if (fault !== undefined) {
    throw new Problem('invalid-input', `Invalid compatibility date "${compatibilityDate}": ${fault}.`);
  }
  const compatibilityFlags = project?.compatibilityFlags ?? [];
  const isTyped = choice.entry !== undefined;
  return { name, entry, isTyped, compatibilityDate, compatibilityFlags, project };
}

/** Returns the name of the worker that a command acts on: from the flag, or else from the configuration of the selected environment. */
export async function workerName(session: Session, flag: string | undefined): Promise<string> {
  const name = flag ?? (await session.project())?.name;
  if (name !== undefined) return checkWorkerName(name);
  throw await missingValueProblem(session, 'name', { kind: 'name-worker' });
}

/**
 * Returns the bindings of a configuration in the form of an upload. Throws if a namespace has no id or a bucket has no name. Does not
 * include secrets, because they are not part of a configuration.
 */
export function deployBindings(project: Project | undefined): WorkerBinding[] {
  if (project === undefined) return [];
  const namespaces = project.kvNamespaces.map(({ binding, id }): WorkerBinding => {
    if (id === undefined) throw missingIdProblem(project, binding, 'id', { kind: 'bind-namespace', binding });
    return { type: 'kv_namespace', name: binding, namespace_id: id };
  });
  const buckets = project.buckets.map(({ binding, bucketName, jurisdiction }): WorkerBinding => {
    if (bucketName === undefined)
      throw missingIdProblem(project, binding, 'bucket_name', { kind: 'bind-bucket' });
    return {
      type: 'r2_bucket',
      name: binding,
      bucket_name: bucketName,
      ...(jurisdiction !== undefined && { jurisdiction }),
    };
  });
  return [...namespaces, ...buckets, ...variables(project)];
}

/** Returns warnings about configuration fields that edgectl cannot apply to a worker. */
export function listIgnoredKeys(project: Project | undefined): string[] {
  const keys = new Set([...(project?.topLevel.otherKeys ?? []), ...(project?.otherKeys ?? [])]);
  if (project === undefined || keys.size === 0) return [];
  return [`${project.path}: edgectl ignores ${[...keys].join(', ')}, which it does not support.`];
}

/** Returns the variables of a configuration as bindings: strings unchanged, other values as JSON. */
export function variables(project: Project): WorkerBinding[] {
  return Object.entries(project.vars).map(([name, value]) =>
    typeof value === 'string'
      ? { type: 'plain_text', name, text: value }
      : { type: 'json', name, json: value },
  );
}

function missingIdProblem(project: Project, binding: string, key: string, remedy: Remedy): Problem {
  return new Problem('config-invalid', `${project.path}: the binding "${binding}" has no ${key}.`, {
    remedy,
  });
}

async function resolveEntry(
  session: Session,
  project: Project | undefined,
  entry: string | undefined,
): Promise<string> {
  if (entry !== undefined) return resolve(session.world.cwd, entry);
  if (project?.main !== undefined) return resolve(dirname(project.path), project.main);
  throw await missingValueProblem(session, 'entry (main)', { kind: 'name-entry' });
}

async function refuseMissing(entry: string): Promise<void> {
  const found = await stat(entry).catch(() => undefined);
  if (found?.isFile() === true) return;
  if (found?.isDirectory() === true)
    throw new Problem('invalid-input', `${entry} is a folder; the worker's entry must be a file.`, {
      hint: 'Use the file that exports the handlers, for example src/index.ts',
    });
  throw new Problem('invalid-input', `The worker's entry ${entry} does not exist.`);
}

/** Returns the Problem for a value that is missing from both the command line and the configuration. */
async function missingValueProblem(session: Session, what: string, remedy: Remedy): Promise<Problem> {
  const project = await session.project();
  if (project !== undefined)
    return new Problem('config-invalid', `${project.path} contains no ${what}.`, { remedy });
  const { missingConfig } = await import('../../config/find.ts');
  const { configPath: config, jsonConfig: json } = session.choice;
  return missingConfig(`The worker's ${what} is required`, { cwd: session.world.cwd, config, json });
}
