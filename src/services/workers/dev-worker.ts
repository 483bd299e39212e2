import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { findKvBinding } from '../../config/bindings.ts';
import { openProject } from '../../config/project.ts';
import { readFoundConfig } from '../../config/read.ts';
import { orUnreadableProblem } from '../../files/trust-problems.ts';
import type { Project } from '../../model/config.ts';
import type { RunnableWorker, WorkerBinding } from '../../model/workers/worker.ts';
import { configOptions } from '../session/config-options.ts';
import type { Session } from '../session/session.ts';
import { acceptConfig } from '../session/trust.ts';
import { bundleWorker } from './bundle.ts';
import { checkInputs } from './check-inputs.ts';
import { findWorkerProject, listIgnoredKeys, variables, type WorkerChoice } from './deploy-project.ts';

/** A worker to run locally, and its input files. */
export interface LocalWorker {
  readonly worker: RunnableWorker;
  /** Patterns of the URLs at which the worker is served, in addition to loopback URLs. */
  readonly routes: readonly string[];
  /** Absolute paths of the input files. */
  readonly inputs: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Builds the worker in a folder, to run with local data. Rereads the configuration at each build. Reads secrets from `.dev.vars` next to
 * the configuration. Throws if the code cannot be bundled, or if the name, entry or compatibility date of the worker is missing. Calls
 * `onImport` as `bundleWorker` does.
 */
export async function buildLocalWorker(
  session: Session,
  choice: WorkerChoice,
  onImport?: (path: string) => void,
): Promise<LocalWorker> {
  const project = await readProject(session);
  if (project?.main !== undefined) onImport?.(resolve(dirname(project.path), project.main));
  const found = await findWorkerProject({ ...session, project: async () => project }, choice);
  const { code, inputs, warnings } = await bundleWorker(found.entry, session.world.cwd, onImport);
  const outside = checkInputs(session, found, inputs);
  const folder = project === undefined ? session.world.cwd : dirname(project.path);
  const secrets = await readSecrets(session, folder, project?.path);
  const names = new Set(secrets.bindings.map(({ name }) => name));
  const bindings = project === undefined ? [] : localBindings(project, session.choice.preview);
  return {
    worker: {
      name: found.name,
      code,
      compatibilityDate: found.compatibilityDate,
      compatibilityFlags: found.compatibilityFlags,
      bindings: [...bindings.filter(({ name }) => !names.has(name)), ...secrets.bindings],
    },
    routes: project?.routes ?? [],
    inputs: [...inputs, ...secrets.paths, ...(project === undefined ? [] : [project.path])],
    warnings: [...listIgnoredKeys(project), ...outside, ...warnings],
  };
}

async function readProject({ world, choice }: Session): Promise<Project | undefined> {
  return openProject(configOptions(world, choice));
}

/**
 * Returns bindings to local data: by `id`, or by the preview id if `preview` is set. A binding without an id uses its own name as the id, so
 * it requires no resource on a platform.
 */
function localBindings(project: Project, preview: boolean): WorkerBinding[] {
  const namespaces = project.kvNamespaces.map(
    ({ binding, id = binding }): WorkerBinding => ({
      type: 'kv_namespace',
      name: binding,
      namespace_id: preview ? findKvBinding(project, binding, { preview }) : id,
    }),
  );
  const buckets = project.buckets.map(
    ({ binding, bucketName, previewBucketName }): WorkerBinding => ({
      type: 'r2_bucket',
      name: binding,
      bucket_name: (preview ? previewBucketName : undefined) ?? bucketName ?? binding,
    }),
  );
  return [...namespaces, ...buckets, ...variables(project)];
}

interface LocalSecrets {
  readonly bindings: readonly WorkerBinding[];
  /** Paths of the files, including files that do not exist. */
  readonly paths: readonly string[];
}

function readOptional(path: string): Buffer | undefined {
  return orUnreadableProblem('config-invalid', path, () =>
    existsSync(path) ? readFileSync(path) : undefined,
  );
}

/**
 * Reads lines `NAME=value` from `.dev.vars.<environment>`, or else from `.dev.vars`; both files are optional. If the user specified the
 * configuration file, trusts the `.dev.vars` files next to it. Otherwise, these files require the same approval as the configuration.
 */
async function readSecrets(
  { world, choice: { environment, configPath } }: Session,
  folder: string,
  config: string | undefined,
): Promise<LocalSecrets> {
  const names = environment === undefined ? ['.dev.vars'] : [`.dev.vars.${environment}`, '.dev.vars'];
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) {
    const bytes =
      configPath === undefined
        ? await readFoundConfig(path, world.cwd, (doubt) =>
            acceptConfig(world, undefined)(path, doubt, config),
          )
        : readOptional(path);
    if (bytes === undefined) continue;
    const secrets = Object.entries(parseEnv(bytes.toString('utf8')));
    const bindings = secrets.map(
      ([name, value = '']): WorkerBinding => ({ type: 'secret_text', name, text: value }),
    );
    return { bindings, paths };
  }
  return { bindings: [], paths };
}
