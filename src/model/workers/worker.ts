/** A worker's access to a value or a resource, found on `env` under its name. In wire form. */
export type WorkerBinding =
  | { readonly type: 'plain_text'; readonly name: string; readonly text: string }
  | { readonly type: 'json'; readonly name: string; readonly json: unknown }
  | { readonly type: 'secret_text'; readonly name: string; readonly text: string }
  | { readonly type: 'kv_namespace'; readonly name: string; readonly namespace_id: string }
  | { readonly type: 'r2_bucket'; readonly name: string; readonly bucket_name: string };

/** Content types of a worker's modules in an upload, by the kind of module. */
export const moduleContentTypes = {
  esm: 'application/javascript+module',
  script: 'application/javascript',
  text: 'text/plain',
  data: 'application/octet-stream',
  wasm: 'application/wasm',
  'source-map': 'application/source-map',
} as const;

export type ModuleKind = keyof typeof moduleContentTypes;

/** One file of a worker. The name is what other modules import it by: `index.js`, `./cat.txt`. */
export interface WorkerModule {
  readonly name: string;
  readonly kind: ModuleKind;
  readonly content: Uint8Array;
}

/** A worker's code: ES modules from an entry, or one old script that calls `addEventListener`. */
export interface WorkerCode {
  readonly format: 'modules' | 'script';
  /** Name of the module that runs. */
  readonly entry: string;
  readonly modules: readonly WorkerModule[];
}

/** All that a runtime needs to run a worker. */
export interface RunnableWorker {
  readonly name: string;
  /** Of the version that runs, where there are versions. */
  readonly versionId?: string;
  readonly code: WorkerCode;
  /** `YYYY-MM-DD` (default: the runtime's oldest). */
  readonly compatibilityDate?: string;
  readonly compatibilityFlags: readonly string[];
  readonly bindings: readonly WorkerBinding[];
}

/** Why a worker cannot have this name, or undefined. It is a label of its hostname as well (RFC 1035, 63 octets). */
export function workerNameFault(name: string): string | undefined {
  if (/^[a-z0-9_][a-z0-9_-]{0,62}$/.test(name)) return undefined;
  return 'a worker name has 1 to 63 lower-case letters, digits, - and _, and does not begin with -';
}

/** The worker name closest to a string, such as a folder's name; undefined if nothing of it is allowed in one. */
export function workerNameFrom(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  return workerNameFault(name) === undefined ? name : undefined;
}

/** Why a worker cannot have this compatibility date, or undefined: it is a day, as `2026-11-01`. */
export function compatibilityDateFault(date: string): string | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  return isDay ? undefined : 'a compatibility date is a day, written like 2026-11-01';
}

/** The kind of module of a content type; undefined for one that no worker can contain. */
export function moduleKindOf(contentType: string): ModuleKind | undefined {
  const plain = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (plain === 'text/javascript+module') return 'esm';
  if (plain === 'text/javascript') return 'script';
  const kinds = Object.entries(moduleContentTypes) as [ModuleKind, string][];
  return kinds.find(([, type]) => type === plain)?.[0];
}

/** A deployed worker, as far as an upload can change it. Secrets have no text. */
export interface DeployedWorker {
  readonly bindings: readonly Readonly<Record<string, unknown> & { name: string; type: string }>[];
  readonly compatibilityDate?: string;
  readonly compatibilityFlags: readonly string[];
  readonly modules: readonly WorkerModule[];
}
