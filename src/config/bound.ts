import { isObject } from '../model/json-object.ts';
import type { ValuePath } from './position.ts';
import type { ConfigSource } from './read.ts';

/** A configuration entry in which `id`, `preview_id` or both are a namespace's id. */
export interface BoundEntry {
  readonly binding: string;
  readonly environment: string | undefined;
  readonly keys: readonly string[];
  /** Whether the entry has no fields other than these ids. */
  readonly whole: boolean;
  readonly path: ValuePath;
  /** The location of the entry, such as `/path/edgectl.toml:5`. */
  readonly location: string;
}

type Table = Readonly<Record<string, unknown>>;

/** Returns all entries, at the top level and in environments, that contain this namespace id. */
export function boundEntries(source: ConfigSource, id: string): BoundEntry[] {
  const top = readTable(source.data);
  const environments = Object.entries(readTable(top['env']));
  return [
    ...entriesIn(source, top, undefined, id),
    ...environments.flatMap(([name, section]) => entriesIn(source, readTable(section), name, id)),
  ];
}

function entriesIn(
  source: ConfigSource,
  section: Table,
  environment: string | undefined,
  id: string,
): BoundEntry[] {
  const list = section['kv_namespaces'];
  return (Array.isArray(list) ? list : []).flatMap((element: unknown, index): BoundEntry[] => {
    const entry = readTable(element);
    const keys = ['id', 'preview_id'].filter((key) => entry[key] === id);
    if (keys.length === 0) return [];
    const above = environment === undefined ? [] : ['env', environment];
    const path = [...above, 'kv_namespaces', index];
    const line = source.locate(path)?.line;
    return [
      {
        binding: String(entry['binding']),
        environment,
        keys,
        whole: ['id', 'preview_id'].every((key) => entry[key] === undefined || keys.includes(key)),
        path,
        location: line === undefined ? source.path : `${source.path}:${line}`,
      },
    ];
  });
}

function readTable(value: unknown): Table {
  return isObject(value) ? { ...value } : {};
}
