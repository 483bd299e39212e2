import { Problem } from '../model/problem.ts';
import { type BindingEntry, listPath } from './entry.ts';
import type { ValuePath } from './position.ts';
import type { ConfigSource } from './read.ts';

/**
 * Throws if another kind of binding, or a plain value, in the same section already has the entry's name. The message contains the position of
 * the existing name. A worker's bindings and plain values must have different names.
 */
export function refuseTakenName(
  source: ConfigSource,
  entry: BindingEntry,
  environment: string | undefined,
): void {
  const parents = listPath(entry, environment).slice(0, -1);
  const place = findPlaces(valueAt(source.data, parents), entry)
    .map((path) => [...parents, ...path])
    .at(0);
  if (place === undefined) return;
  const line = source.locate(place)?.line;
  const where = line === undefined ? source.path : `${source.path}:${line}`;
  const what = place.includes('vars') ? 'a plain value (vars)' : 'a bucket';
  throw new Problem('config-invalid', `"${entry.binding}" is already the name of ${what}, at ${where}.`, {
    hint: 'The bindings and plain values of a worker must have different names: choose another name.',
  });
}

function findPlaces(section: unknown, entry: BindingEntry): ValuePath[] {
  const inLists = ['objstore_buckets', 'r2_buckets', 'kv_namespaces']
    .filter((list) => list !== entry.list)
    .flatMap((list) => {
      const elements = valueAt(section, [list]);
      const index = Array.isArray(elements)
        ? elements.findIndex((element) => valueAt(element, ['binding']) === entry.binding)
        : -1;
      return index === -1 ? [] : [[list, index]];
    });
  const inVars = valueAt(section, ['vars', entry.binding]) === undefined ? [] : [['vars', entry.binding]];
  return [...inLists, ...inVars];
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Object.getOwnPropertyDescriptor(value, key)?.value
        : undefined,
    data,
  );
}
