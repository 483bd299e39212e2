import {
  type BindingEntry,
  entryData,
  listPath,
  tomlElement,
  tomlHeader,
  tomlPairs,
  tomlString,
} from './entry.ts';
import { addLast, detectLineEnd, indentAt, type Language, replace } from './insert.ts';
import { outlineValidToml } from './toml.ts';
import { skipLine, type TomlSpan } from './toml-outline.ts';

const toml: Language = { gap: /(?:[ \t\r\n]+|#[^\n]*)*/y, restOfLine: /[ \t]*(?:#[^\r\n]*)?/y };

/** A TOML document with the positions of its values and headers. */
interface Document {
  readonly text: string;
  readonly spans: readonly TomlSpan[];
  readonly lineEnd: string;
}

/**
 * Adds an entry to a TOML array, or sets fields of the element at `index`, and changes nothing else. The caller must check the result,
 * because an edit can be wrong if the layout is unusual.
 */
export function editToml(
  text: string,
  entry: BindingEntry,
  environment: string | undefined,
  index: number | undefined,
): string {
  const list = listPath(entry, environment);
  if (index === undefined) return addElement(readDocument(text), list, entry);
  return Object.entries(entry.fields).reduce(
    (edited, [name, value]) => setField(readDocument(edited), [...list, index], name, value),
    text,
  );
}

function readDocument(text: string): Document {
  return { text, spans: outlineValidToml(text), lineEnd: detectLineEnd(text) };
}

function findPlace(document: Document, path: TomlSpan['path']): TomlSpan | undefined {
  const wanted = JSON.stringify(path);
  return document.spans.find((span) => JSON.stringify(span.path) === wanted);
}

/** Returns the spans nested below a path, in document order, without the span at the path itself. */
function spansBelow(document: Document, path: TomlSpan['path']): TomlSpan[] {
  return document.spans.filter(
    (span) => span.path.length > path.length && path.every((key, depth) => span.path[depth] === key),
  );
}

function setField(document: Document, element: TomlSpan['path'], name: string, value: string): string {
  const old = findPlace(document, [...element, name]);
  if (old !== undefined) return replace(document.text, old.start, old.end, tomlString(value));
  const binding = findPlace(document, [...element, 'binding']);
  if (binding === undefined) return document.text;
  const [pair = ''] = tomlPairs({ [name]: value });
  if (findPlace(document, element)?.kind === 'inline-table') {
    return insert(document.text, binding.end, `, ${pair}`);
  }
  const indent = indentAt(document.text, binding.line);
  return insert(document.text, skipLine(document.text, binding.end), document.lineEnd + indent + pair);
}

function addElement(document: Document, list: readonly string[], entry: BindingEntry): string {
  const array = findPlace(document, list);
  if (array?.kind === 'array') return addToArray(document, array, entry);
  const elements = spansBelow(document, list).filter(
    (span) => span.kind === 'element' && span.path.length === list.length + 1,
  );
  const last = elements.at(-1);
  if (last === undefined) return appendElement(document, list, entry);
  const end = Math.max(last.end, ...spansBelow(document, last.path).map((span) => span.end));
  const indent = indentAt(document.text, last.line);
  const lines = tomlElement(document.text.slice(last.start, last.end), entry).map((line) => indent + line);
  return insert(document.text, skipLine(document.text, end), ['', '', ...lines].join(document.lineEnd));
}

function appendElement(document: Document, list: readonly string[], entry: BindingEntry): string {
  const { text, lineEnd } = document;
  const body = tomlElement(tomlHeader(list), entry).join(lineEnd) + lineEnd;
  if (text === '') return body;
  return text + (text.endsWith('\n') ? '' : lineEnd) + lineEnd + body;
}

/** Adds the entry to a `[ … ]` array. */
function addToArray(document: Document, array: TomlSpan, entry: BindingEntry): string {
  const last = spansBelow(document, array.path)
    .filter((span) => span.path.length === array.path.length + 1)
    .at(-1);
  const element = `{ ${tomlPairs(entryData(entry)).join(', ')} }`;
  return addLast(document.text, { start: array.start, end: array.end, last }, toml, () => element);
}

function insert(text: string, at: number, addition: string): string {
  return replace(text, at, at, addition);
}
