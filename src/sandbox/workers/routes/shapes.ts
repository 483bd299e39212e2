import type { StoredDeployment, StoredVersion, StoredWorker } from '../../../store/workers/workers.ts';
import { formatBinding } from './bindings.ts';
import { onlyEnvironment } from './find.ts';

/** Formats milliseconds since the UNIX epoch as ISO 8601. */
function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Formats a worker for the `scripts` endpoints, with its latest version. */
export function formatScript(worker: StoredWorker, version: StoredVersion | undefined) {
  return {
    id: worker.name,
    tag: worker.tag,
    tags: worker.settings['tags'] ?? [],
    created_on: formatTime(worker.createdAt),
    modified_on: formatTime(worker.modifiedAt),
    usage_model: 'standard',
    handlers: ['fetch'],
    has_assets: false,
    has_modules: true,
    logpush: worker.settings['logpush'] ?? false,
    ...(version === undefined ? {} : { etag: version.codeId, last_deployed_from: version.source }),
    ...(version === undefined ? {} : formatRuntime(version)),
  };
}

function formatRuntime({ compatibilityDate, compatibilityFlags }: StoredVersion) {
  return {
    ...(compatibilityDate === undefined ? {} : { compatibility_date: compatibilityDate }),
    compatibility_flags: compatibilityFlags,
  };
}

/** Formats a version for lists. */
export function formatListedVersion(version: StoredVersion, author: string) {
  return {
    id: version.id,
    number: version.number,
    metadata: {
      created_on: formatTime(version.createdAt),
      modified_on: formatTime(version.createdAt),
      // As the source of a version, the platform reports only known clients, which do not include edgectl. As the source of a deployment,
      // the platform reports any client.
      source: version.source === 'wrangler' ? version.source : 'api',
      author_email: author,
      hasPreview: false,
    },
    annotations: version.annotations,
  };
}

/** Formats a version with its resources, but without the values of secrets. */
export function formatVersion(version: StoredVersion, author: string) {
  return {
    ...formatListedVersion(version, author),
    resources: {
      script: { etag: version.codeId, handlers: ['fetch'], last_deployed_from: version.source },
      script_runtime: { usage_model: 'standard', ...formatRuntime(version) },
      bindings: version.bindings.map(formatBinding),
    },
  };
}

export function formatDeployment(deployment: StoredDeployment, author: string) {
  return {
    id: deployment.id,
    source: deployment.source,
    strategy: 'percentage',
    author_email: author,
    created_on: formatTime(deployment.createdAt),
    annotations: deployment.annotations,
    versions: deployment.versions.map(({ id, percentage }) => ({ version_id: id, percentage })),
  };
}

/** Formats the settings of a worker and one of its versions. */
export function formatSettings(worker: StoredWorker, version: StoredVersion | undefined) {
  return {
    ...formatScriptSettings(worker),
    bindings: (version?.bindings ?? []).map(formatBinding),
    usage_model: 'standard',
    annotations: version?.annotations ?? {},
    ...(version === undefined ? {} : formatRuntime(version)),
  };
}

/** Formats the settings that belong to the worker and not to a version. */
export function formatScriptSettings({ settings }: StoredWorker) {
  return {
    logpush: settings['logpush'] ?? false,
    observability: settings['observability'] ?? { enabled: false },
    tags: settings['tags'] ?? [],
    tail_consumers: settings['tail_consumers'] ?? [],
  };
}

/** Formats a worker for the newer endpoints (`workers/workers`). */
export function formatWorker(worker: StoredWorker, deployed: StoredDeployment | undefined) {
  return {
    id: worker.tag,
    name: worker.name,
    created_on: formatTime(worker.createdAt),
    updated_on: formatTime(worker.modifiedAt),
    deployed_on: deployed === undefined ? null : formatTime(deployed.createdAt),
    ...formatScriptSettings(worker),
    subdomain: { enabled: worker.routed, previews_enabled: worker.previews },
    references: {
      dispatch_namespace_outbounds: [],
      domains: [],
      durable_objects: [],
      queues: [],
      workers: [],
    },
  };
}

/** Formats a worker for the `services` endpoints, with its only environment. */
export function formatService(worker: StoredWorker, version: StoredVersion | undefined) {
  const dates = { created_on: formatTime(worker.createdAt), modified_on: formatTime(worker.modifiedAt) };
  const environment = { environment: onlyEnvironment, ...dates, script: formatScript(worker, version) };
  return { id: worker.name, ...dates, default_environment: environment, environments: [environment] };
}
