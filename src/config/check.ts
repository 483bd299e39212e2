import * as v from 'valibot';
import {
  type BucketBinding,
  bindingFault,
  type Config,
  type ConfigSection,
  type UnknownConfigField,
} from '../model/config.ts';
import { isObject } from '../model/json-object.ts';
import { describe } from '../model/kv/kv.ts';
import { type Advice, Problem } from '../model/problem.ts';
import { configSnippet } from './entry.ts';
import type { ValuePath } from './position.ts';
import type { ConfigSource } from './read.ts';

function table<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.custom<object>(isTable, 'must be a table'), v.looseObject(entries));
}

function isTable(value: unknown): boolean {
  return isObject(value) && !(value instanceof Date);
}

const text = v.string('must be a quoted string');
/** Treats an empty string as absent, because old templates contain `account_id = ""`. */
const optionalText = v.optional(
  v.pipe(
    text,
    v.transform((value) => (value === '' ? undefined : value)),
  ),
);

const bucketSchema = table({
  binding: text,
  bucket_name: optionalText,
  preview_bucket_name: optionalText,
  jurisdiction: optionalText,
});

const sectionEntries = {
  name: optionalText,
  main: optionalText,
  compatibility_date: optionalText,
  compatibility_flags: v.optional(v.array(text, 'must be a list of strings')),
  workers_dev: v.optional(v.boolean('must be true or false')),
  account_id: optionalText,
  zone_id: optionalText,
  kv_namespaces: v.optional(
    v.array(table({ binding: text, id: optionalText, preview_id: optionalText }), 'must be a list of tables'),
  ),
  objstore_buckets: v.optional(v.array(bucketSchema, 'must be a list of tables')),
  r2_buckets: v.optional(v.array(bucketSchema, 'must be a list of tables')),
  vars: v.optional(table({})),
};

const bucketFields = ['binding', 'bucket_name', 'preview_bucket_name', 'jurisdiction'];

const knownFields = {
  section: Object.keys(sectionEntries),
  lists: {
    kv_namespaces: ['binding', 'id', 'preview_id'],
    objstore_buckets: bucketFields,
    r2_buckets: bucketFields,
  },
};

const sectionSchema = table(sectionEntries);
const environmentsSchema = v.optional(table({}));

/**
 * Returns the configuration in a file. Ignores the many fields that only wrangler uses, and reports unknown fields. Throws for values of
 * the wrong type, for invalid or duplicate bindings, for static-site projects, and for base URLs and credentials, which a configuration
 * must not contain. The error states the position in the file.
 */
export function checkConfig(source: ConfigSource): Config {
  const { path, format, fallback, data } = source;
  const section = checkSection(source, data, []);
  const listed = parseAt(source, environmentsSchema, (data as { env?: unknown }).env, ['env']) ?? {};
  const environments = new Map(
    Object.entries(listed).map(([name, value]) => [name, checkSection(source, value, ['env', name])]),
  );
  const unknownFields = [
    ...findUnknownFields(source, data as object, [], knownFields),
    ...Object.entries(listed).flatMap(([name, value]) =>
      findUnknownFields(source, value as object, ['env', name], knownFields),
    ),
  ];
  const unknown = unknownFields.length === 0 ? {} : { unknownFields };
  return { path, format, fallback, ...section, ...unknown, environments };
}

function checkSection(source: ConfigSource, data: unknown, at: ValuePath): ConfigSection {
  const raw = parseAt(source, sectionSchema, data, at);
  refuseForbiddenKeys(source, raw, at);
  const named = Object.entries({
    name: raw.name,
    main: raw.main,
    compatibilityDate: raw.compatibility_date,
    compatibilityFlags: raw.compatibility_flags,
    workersDev: raw.workers_dev,
    accountId: raw.account_id,
    zoneId: raw.zone_id,
  }).filter(([, value]) => value !== undefined);
  checkBindings(source, raw, at);
  return {
    ...Object.fromEntries(named),
    kvNamespaces: (raw.kv_namespaces ?? []).map((entry) => ({
      binding: entry.binding,
      ...(entry.id !== undefined && { id: entry.id }),
      ...(entry.preview_id !== undefined && { previewId: entry.preview_id }),
    })),
    buckets: [...(raw.objstore_buckets ?? []), ...(raw.r2_buckets ?? [])].map(parseBucket),
    vars: Object.fromEntries(Object.entries(raw.vars ?? {})),
    ...readRoutes(raw),
    ...listUnknownKeys(raw),
  };
}

/** Wrangler's fields that do not describe a worker. */
const ignoredWranglerKeys = [
  '$schema',
  'env',
  'send_metrics',
  'dev',
  'keep_vars',
  'minify',
  'upload_source_maps',
];

function listUnknownKeys(raw: object): Pick<ConfigSection, 'otherKeys'> {
  const known = [...Object.keys(sectionEntries), ...ignoredWranglerKeys];
  const otherKeys = Object.keys(raw).filter((key) => !known.includes(key));
  return otherKeys.length === 0 ? {} : { otherKeys };
}

function parseBucket(entry: v.InferOutput<typeof bucketSchema>): BucketBinding {
  return {
    binding: entry.binding,
    ...(entry.bucket_name !== undefined && { bucketName: entry.bucket_name }),
    ...(entry.preview_bucket_name !== undefined && { previewBucketName: entry.preview_bucket_name }),
    ...(entry.jurisdiction !== undefined && { jurisdiction: entry.jurisdiction }),
  };
}

/**
 * Throws if the name of a binding is invalid, or is also the name of another binding or of a plain value. In the worker, all bindings and
 * plain values are fields of `env`.
 */
function checkBindings(source: ConfigSource, raw: v.InferOutput<typeof sectionSchema>, at: ValuePath): void {
  const seen = new Map<string, ValuePath>(
    Object.keys(raw.vars ?? {}).map((name) => [name, [...at, 'vars', name]]),
  );
  for (const list of ['kv_namespaces', 'objstore_buckets', 'r2_buckets'] as const) {
    (raw[list] ?? []).forEach(({ binding }, index) => {
      const place = [...at, list, index, 'binding'];
      const fault = bindingFault(binding);
      if (fault !== undefined)
        throw problemAt(source, place, `${formatPath(place)} is ${describe(binding)}: ${fault}`);
      const first = seen.get(binding);
      if (first !== undefined) throw duplicateBinding(source, raw, first, place, binding);
      seen.set(binding, place);
    });
  }
}

/**
 * Returns the Problem for a binding that is declared twice. The message contains the numbers of both lines. If the entries can be merged,
 * for example because the user pasted two snippets for one binding, the hint contains the merged entry.
 */
function duplicateBinding(
  source: ConfigSource,
  raw: v.InferOutput<typeof sectionSchema>,
  first: ValuePath,
  second: ValuePath,
  binding: string,
): Problem {
  const line = source.locate(first)?.line;
  const before = line === undefined ? '' : `, first at line ${line}`;
  const reason = `${formatPath(second)}: "${binding}" is bound twice${before}`;
  const entries = (raw.kv_namespaces ?? []).filter((entry) => entry.binding === binding);
  const fields = mergedFields(entries);
  if (entries.length < 2 || fields === undefined) {
    return problemAt(source, second, reason, {
      hint: 'The bindings and plain values of a worker must have different names: rename one of them.',
    });
  }
  const environment = second[0] === 'env' ? String(second[1]) : undefined;
  const snippet = configSnippet({ list: 'kv_namespaces', binding, fields }, source.format, environment);
  return problemAt(source, second, reason, { hint: `Merge the two into one entry:\n${snippet}` });
}

/** Returns the ids of all entries as the fields of one entry; undefined if two ids conflict. */
function mergedFields(
  entries: readonly { readonly id?: string | undefined; readonly preview_id?: string | undefined }[],
): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (const key of ['id', 'preview_id'] as const) {
    const ids = new Set(entries.map((entry) => entry[key]).filter((id) => id !== undefined));
    if (ids.size > 1) return undefined;
    for (const id of ids) fields[key] = id;
  }
  return fields;
}

const addresses = new Set(['apibaseurl', 'baseurl', 'apiurl']);
const secrets = new Set([
  'apitoken',
  'token',
  'accesstoken',
  'apikey',
  'globalapikey',
  'authkey',
  'apiemail',
  'authemail',
  'email',
  'password',
]);

function refuseForbiddenKeys(source: ConfigSource, raw: object, at: ValuePath): void {
  for (const key of Object.keys(raw)) {
    const plain = key
      .toLowerCase()
      .replace(/^(?:edgectl|cloudflare|cf)_/, '')
      .replace(/[_-]/g, '');
    const place = [...at, key];
    if (key === 'pages_build_output_dir') {
      throw problemAt(source, place, 'this is a static-site project (pages_build_output_dir), not a worker', {
        remedy: { kind: 'leave-site' },
      });
    }
    const what = addresses.has(plain)
      ? 'a platform address'
      : secrets.has(plain)
        ? 'a credential'
        : undefined;
    if (what === undefined) continue;
    throw problemAt(
      source,
      place,
      `${formatPath(place)} is ${what}, which a configuration file cannot contain`,
      {
        remedy: { kind: 'keep-in-profile' },
      },
    );
  }
}

function parseAt<Schema extends v.GenericSchema>(
  source: ConfigSource,
  schema: Schema,
  value: unknown,
  at: ValuePath,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const keys = (issue.path ?? []).map((item) => (typeof item.key === 'number' ? item.key : String(item.key)));
  const path = [...at, ...keys];
  const subject = path.length === 0 ? 'the configuration' : formatPath(path);
  const reason =
    issue.input === undefined
      ? `${subject} is missing`
      : `${subject} ${issue.message}, not ${describe(issue.input)}`;
  throw problemAt(source, path, reason);
}

/** Formats a path, for example `env.staging.kv_namespaces[1].id`. */
function formatPath(path: ValuePath): string {
  return path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : depth === 0 ? key : `.${key}`))
    .join('');
}

function problemAt(source: ConfigSource, path: ValuePath, reason: string, advice: Advice = {}): Problem {
  const position = source.locate(path);
  const place = position === undefined ? source.path : `${source.path}:${position.line}:${position.column}`;
  return new Problem('config-invalid', `${place}: ${reason}.`, advice);
}

/**
 * Returns a section's route patterns as strings, from `route` and `routes`. Skips all other values, because edgectl needs only the worker's
 * hosts.
 */
function readRoutes(section: object): { readonly routes?: readonly string[] } {
  const { route, routes }: { route?: unknown; routes?: unknown } = section;
  const listed: readonly unknown[] = Array.isArray(routes) ? routes : [];
  const patterns = [route, ...listed].map(readPattern).filter((pattern) => pattern !== undefined);
  return patterns.length === 0 ? {} : { routes: patterns };
}

function readPattern(route: unknown): string | undefined {
  if (typeof route === 'string') return route;
  if (typeof route !== 'object' || route === null) return undefined;
  return 'pattern' in route && typeof route.pattern === 'string' ? route.pattern : undefined;
}

/** Fields of the provider's own configuration files that edgectl does not use, in the order of the provider's schema. */
export const foreignFields: readonly string[] = (
  '$schema env durable_objects find_additional_modules preserve_file_names base_dir preview_urls routes route tsconfig ' +
  'jsx_factory jsx_fragment migrations exports triggers limits rules build no_bundle minify keep_names ' +
  'first_party_worker logfwdr logpush upload_source_maps placement assets observability access cache compliance_region ' +
  'python_modules previews define secrets workflows cloudchamber containers send_email queues connect d1_databases ' +
  'vectorize ai_search_namespaces ai_search agent_memory hyperdrive services analytics_engine_datasets browser analytics ' +
  'ai images media stream version_metadata unsafe mtls_certificates tail_consumers streaming_tail_consumers ' +
  'dispatch_namespaces pipelines k2 secrets_store_secrets artifacts unsafe_hello_world flagship ratelimits worker_loaders ' +
  'vpc_services vpc_networks pages_build_output_dir send_metrics dependencies_instrumentation dev site wasm_modules ' +
  'text_blobs data_blobs alias keep_vars addresses ' +
  // Fields of older wrangler releases.
  'type webpack_config legacy_env usage_model node_compat experimental_services'
).split(' ');

/** Fields that only the provider's tools use, in entries of lists. */
const foreignEntryFields = ['remote', 'local_dev', 'experimental_remote'];

/**
 * Returns the fields of a section that neither edgectl nor the provider supports: they are probably misspelled, and have no effect.
 * `known` lists the fields that edgectl reads from the section, and from the entries of its lists.
 */
function findUnknownFields(
  source: ConfigSource,
  section: object,
  at: ValuePath,
  known: { readonly section: readonly string[]; readonly lists: Readonly<Record<string, readonly string[]>> },
): UnknownConfigField[] {
  const fields = knownEntryFields(source, section, at, known.section, foreignFields);
  for (const [list, inEntry] of Object.entries(known.lists)) {
    const entries: unknown = Object.getOwnPropertyDescriptor(section, list)?.value;
    if (!Array.isArray(entries)) continue;
    entries.forEach((entry: object, index) => {
      fields.push(...knownEntryFields(source, entry, [...at, list, index], inEntry, foreignEntryFields));
    });
  }
  return fields;
}

function knownEntryFields(
  source: ConfigSource,
  table: object,
  at: ValuePath,
  known: readonly string[],
  foreign: readonly string[],
): UnknownConfigField[] {
  return Object.keys(table)
    .filter((name) => !known.includes(name) && !foreign.includes(name))
    .map((name) => {
      const line = source.locate([...at, name])?.line;
      return { name, place: line === undefined ? source.path : `${source.path}:${line}`, known };
    });
}
