import { bindingFault } from '../../../model/config.ts';
import { isObject } from '../../../model/json-object.ts';
import { acceptedJurisdictions } from '../../../model/jurisdiction.ts';
import type { WorkerBinding } from '../../../model/workers/worker.ts';
import { type Platform, refusal, toText } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an upload that specify bindings. */
export interface BindingsRequest {
  /** The bindings as received; a binding of the type `inherit` is copied from the latest version. */
  readonly bindings: unknown;
  /** Types of bindings that are copied from the latest version unless they are specified again. */
  readonly keep: readonly string[];
}

/**
 * Returns the bindings of a new version. Refuses names that are not identifiers or occur twice, types that the sandbox cannot
 * run, `inherit` without a binding to copy, and unknown namespaces or buckets.
 */
export function parseBindings(
  platform: Platform,
  { bindings = [], keep }: BindingsRequest,
  before: readonly WorkerBinding[],
): WorkerBinding[] {
  if (!Array.isArray(bindings)) throw invalid('bindings must be a list');
  const given = bindings.map((value: unknown) => {
    const binding = parseBinding(value, before);
    checkResource(platform, binding);
    return binding;
  });
  const names = new Set<string>();
  for (const { name } of given) {
    if (names.has(name)) throw invalid(`binding name '${name}' occurs twice`);
    names.add(name);
  }
  return [...given, ...before.filter(({ name, type }) => keep.includes(type) && !names.has(name))];
}

/** Formats a binding for an answer; the answer never contains the value of a secret. */
export function formatBinding(binding: WorkerBinding): Fields {
  if (binding.type !== 'secret_text') return { ...binding };
  return { name: binding.name, type: binding.type };
}

function parseBinding(value: unknown, before: readonly WorkerBinding[]): WorkerBinding {
  if (!isObject(value)) throw invalid('a binding must be a JSON object');
  const name = value['name'];
  if (typeof name !== 'string') throw invalid('a binding has no name');
  const fault = bindingFault(name);
  if (fault !== undefined) throw invalid(`binding '${name}': ${fault}`);
  switch (value['type']) {
    case 'plain_text':
    case 'secret_text':
      return { type: value['type'], name, text: requireText(value, name, 'text') };
    case 'json':
      return { type: 'json', name, json: value['json'] };
    case 'kv_namespace':
      return { type: 'kv_namespace', name, namespace_id: requireText(value, name, 'namespace_id') };
    case 'r2_bucket':
      return {
        type: 'r2_bucket',
        name,
        bucket_name: requireText(value, name, 'bucket_name'),
        ...parseJurisdiction(value, name),
      };
    case 'inherit':
      return inheritBinding(value, name, before);
    default:
      throw invalid(
        `binding '${name}' has the type '${toText(value['type'])}', which the sandbox does not support`,
      );
  }
}

function inheritBinding(value: Fields, name: string, before: readonly WorkerBinding[]): WorkerBinding {
  const from = value['old_name'] ?? name;
  const found = before.find((binding) => binding.name === from);
  if (found === undefined) throw invalid(`binding '${name}' has nothing to inherit`);
  return { ...found, name };
}

/** Returns the jurisdiction in a bucket binding (SDK workers/scripts, `WorkersBindingKindR2Bucket`). */
function parseJurisdiction({ jurisdiction }: Fields, name: string): { readonly jurisdiction?: string } {
  if (jurisdiction === undefined) return {};
  if (typeof jurisdiction === 'string' && acceptedJurisdictions.includes(jurisdiction))
    return { jurisdiction };
  throw invalid(`binding '${name}' has the jurisdiction '${toText(jurisdiction)}', which is not valid`);
}

function requireText(value: Fields, name: string, field: string): string {
  const text = value[field];
  if (typeof text === 'string') return text;
  throw invalid(`binding '${name}' has no ${field}`);
}

function checkResource(platform: Platform, binding: WorkerBinding): void {
  const { namespaces, buckets } = platform.registry();
  if (binding.type === 'kv_namespace' && namespaces.find(binding.namespace_id) === undefined) {
    throw refusal(400, workerCodes.namespaceNotFound, `KV namespace '${binding.namespace_id}' not found.`);
  }
  if (binding.type === 'r2_bucket') {
    const found = buckets.find(binding.bucket_name);
    if (found === undefined || found.jurisdiction !== binding.jurisdiction)
      throw refusal(400, workerCodes.bucketNotFound, `R2 bucket '${binding.bucket_name}' not found.`);
  }
}

function invalid(what: string) {
  return refusal(400, workerCodes.uploadInvalid, `${what}.`);
}
