import type { UnknownConfigField } from '../model/config.ts';
import type { ValuePath } from './position.ts';
import type { ConfigSource } from './read.ts';

/** Fields of the provider's own configuration files that edgectl has no use for, in the order of its schema. */
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
  // Of older releases.
  'type webpack_config legacy_env usage_model node_compat experimental_services'
).split(' ');

/** Fields of the entries of lists, of which others may have more. */
const foreignInEntries = ['remote', 'jurisdiction', 'local_dev', 'experimental_remote'];

/**
 * Fields of a section that nobody knows, edgectl or the provider: most likely they are mistyped, and without effect.
 * `known` are the fields that edgectl reads, of the section and of the entries of its lists.
 */
export function unknownFieldsOf(
  source: ConfigSource,
  section: object,
  at: ValuePath,
  known: { readonly section: readonly string[]; readonly lists: Readonly<Record<string, readonly string[]>> },
): UnknownConfigField[] {
  const fields = fieldsBeside(source, section, at, known.section, foreignFields);
  for (const [list, inEntry] of Object.entries(known.lists)) {
    const entries: unknown = Object.getOwnPropertyDescriptor(section, list)?.value;
    if (!Array.isArray(entries)) continue;
    entries.forEach((entry: object, index) => {
      fields.push(...fieldsBeside(source, entry, [...at, list, index], inEntry, foreignInEntries));
    });
  }
  return fields;
}

function fieldsBeside(
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
