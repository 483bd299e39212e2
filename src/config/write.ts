import { isDeepStrictEqual } from 'node:util';
import type { ConfigFile } from '../model/config.ts';
import { isObject } from '../model/json-object.ts';
import { Problem } from '../model/problem.ts';
import { type BindingEntry, configSnippet, entryData, listPath } from './entry.ts';
import { type ConfigSource, parseConfig } from './read.ts';

/**
 * Returns the content of a configuration file with an added binding: a new element, or new fields in the element with the same binding. Keeps
 * comments and layout. Throws, with the snippet in the hint, if the result, when parsed, differs from the expected data.
 */
export async function addBindingToText(
  source: ConfigSource,
  entry: BindingEntry,
  environment: string | undefined,
): Promise<string> {
  const expected = await parseConfig(source.text, source);
  const before = putEntry(expected.data, entry, environment);
  if (before === undefined) throw cannotEditProblem(source, entry, environment);
  const text = await edit(source, entry, environment, before);
  const actual = await parsedOrUndefined(text, source);
  if (!isDeepStrictEqual(actual, expected.data)) throw cannotEditProblem(source, entry, environment);
  return text;
}

/** The old index of an entry in its list; undefined if the entry is new. */
interface EntryBefore {
  readonly index: number | undefined;
}

async function edit(
  source: ConfigSource,
  entry: BindingEntry,
  environment: string | undefined,
  before: EntryBefore,
): Promise<string> {
  if (source.format === 'toml') {
    const { editToml } = await import('./toml-edit.ts');
    return editToml(source.text, entry, environment, before.index);
  }
  const { editJsonc } = await import('./jsonc-edit.ts');
  return editJsonc(source.text, entry, environment, before.index);
}

async function parsedOrUndefined(text: string, file: ConfigFile): Promise<unknown> {
  try {
    return (await parseConfig(text, file)).data;
  } catch {
    return undefined;
  }
}

type Table = Record<string, unknown>;

/** Adds the entry to the data, and returns its old index. Returns undefined if the data does not have the expected form. */
function putEntry(
  data: unknown,
  entry: BindingEntry,
  environment: string | undefined,
): EntryBefore | undefined {
  const parents = listPath(entry, environment).slice(0, -1);
  const parent = parents.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    data,
  );
  if (!isObject(parent)) return undefined;
  const list = parent[entry.list] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  const element = copyPrototype(parent, entryData(entry));
  const index = list.findIndex((candidate) => candidate['binding'] === entry.binding);
  if (index === -1) list.push(element);
  else Object.assign(list[index] ?? {}, entry.fields);
  parent[entry.list] = list;
  return { index: index === -1 ? undefined : index };
}

/** Returns a table with the same prototype as the parser's tables. Without this prototype, comparisons fail. */
function copyPrototype(model: Table, data: Table): Table {
  return Object.assign(Object.create(Object.getPrototypeOf(model)) as Table, data);
}

function cannotEditProblem(file: ConfigFile, entry: BindingEntry, environment: string | undefined): Problem {
  return new Problem('config-invalid', `${file.path} cannot be edited safely because of how it is written.`, {
    hint: `The file was not changed. Add this entry manually:\n${configSnippet(entry, file.format, environment)}`,
  });
}
