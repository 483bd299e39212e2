/** A worker's access to a value or a resource, in wire form. The worker reads the binding as `env.NAME`. */
export type WorkerBinding =
  | { readonly type: 'plain_text'; readonly name: string; readonly text: string }
  | { readonly type: 'json'; readonly name: string; readonly json: unknown }
  | { readonly type: 'secret_text'; readonly name: string; readonly text: string }
  | { readonly type: 'kv_namespace'; readonly name: string; readonly namespace_id: string }
  | {
      readonly type: 'r2_bucket';
      readonly name: string;
      readonly bucket_name: string;
      readonly jurisdiction?: string;
    };

/** Content types of a worker's modules in an upload, by module kind. */
export const moduleContentTypes = {
  esm: 'application/javascript+module',
  script: 'application/javascript',
  text: 'text/plain',
  data: 'application/octet-stream',
  wasm: 'application/wasm',
  'source-map': 'application/source-map',
} as const;

export type ModuleKind = keyof typeof moduleContentTypes;

/** A file of a worker. Other modules import it by its name, such as `index.js` or `./cat.txt`. */
export interface WorkerModule {
  readonly name: string;
  readonly kind: ModuleKind;
  readonly content: Uint8Array;
}

/** The code of a worker: ES modules with an entry, or one service-worker script that calls `addEventListener`. */
export interface WorkerCode {
  readonly format: 'modules' | 'script';
  /** Name of the module to run. */
  readonly entry: string;
  readonly modules: readonly WorkerModule[];
}

/** All data that a runtime needs to run a worker. */
export interface RunnableWorker {
  readonly name: string;
  /** Id of the running version, if the platform has versions. */
  readonly versionId?: string;
  readonly code: WorkerCode;
  /** The compatibility date as `YYYY-MM-DD` (default: the runtime's oldest date). */
  readonly compatibilityDate?: string;
  readonly compatibilityFlags: readonly string[];
  readonly bindings: readonly WorkerBinding[];
}

/** Explains why a worker name is invalid; undefined if it is valid. The name is also a hostname label (RFC 1035, 63 octets). */
export function explainWorkerName(name: string): string | undefined {
  if (/^[a-z0-9_][a-z0-9_-]{0,62}$/.test(name)) return undefined;
  return 'a worker name must have 1 to 63 lower-case letters, digits, - and _, and must not start with -';
}

/** Suggests a worker name that resembles a string, such as a folder name; undefined if the string has no allowed character. */
export function suggestWorkerName(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  return explainWorkerName(name) === undefined ? name : undefined;
}

/** Explains why a compatibility date is invalid; undefined if it is valid. A date has the form `2026-11-01`. */
export function explainCompatibilityDate(date: string): string | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  return isDay ? undefined : 'a compatibility date must be a date such as 2026-11-01';
}

/** Returns the module kind for a content type; undefined if a worker cannot contain this type. */
export function findModuleKind(contentType: string): ModuleKind | undefined {
  const plain = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (plain === 'text/javascript+module') return 'esm';
  if (plain === 'text/javascript') return 'script';
  const kinds = Object.entries(moduleContentTypes) as [ModuleKind, string][];
  return kinds.find(([, type]) => type === plain)?.[0];
}

/** The parts of a deployed worker that an upload can change. Secrets are listed without their values. */
export interface DeployedWorker {
  readonly bindings: readonly Readonly<Record<string, unknown> & { name: string; type: string }>[];
  readonly compatibilityDate?: string;
  readonly compatibilityFlags: readonly string[];
  readonly modules: readonly WorkerModule[];
}
