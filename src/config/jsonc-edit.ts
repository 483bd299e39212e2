import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { type BindingEntry, entryData, listPath } from './entry.ts';
import { addLast, type Container, detectLineEnd, indentUnit, type Language, replace } from './insert.ts';
import type { ValuePath } from './position.ts';

const comments = String.raw`\/\*.*?\*\/|\/\/[^\r\n]*`;
const jsonc: Language = {
  gap: new RegExp(`(?:\\s+|${comments})*`, 'sy'),
  restOfLine: new RegExp(`(?:[ \\t]+|${comments})*`, 'sy'),
};

/**
 * Adds an entry to an array in JSON with comments, or sets fields of the element at `index`. Changes nothing else, unlike the parser's
 * `modify`, which reformats neighboring lines. The caller must check the result.
 */
export function editJsonc(
  text: string,
  entry: BindingEntry,
  environment: string | undefined,
  index: number | undefined,
): string {
  const list = listPath(entry, environment);
  if (index !== undefined) {
    return Object.entries(entry.fields).reduce(
      (edited, [name, value]) => setField(edited, [...list, index], name, value),
      text,
    );
  }
  const array = nodeAt(text, list);
  if (array !== undefined) return addElement(text, array, entry);
  const parent = nodeAt(text, list.slice(0, -1));
  return parent === undefined ? text : addList(text, parent, entry);
}

function nodeAt(text: string, path: ValuePath): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

function setField(text: string, element: ValuePath, name: string, value: string): string {
  const old = nodeAt(text, [...element, name]);
  if (old !== undefined) return replace(text, old.offset, old.offset + old.length, JSON.stringify(value));
  const parent = nodeAt(text, element);
  if (parent === undefined) return text;
  return addLast(text, toContainer(parent), jsonc, () => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
}

function addElement(text: string, array: Node, entry: BindingEntry): string {
  const container = toContainer(array);
  const { last } = container;
  const compact = last !== undefined && !text.slice(last.start, last.end).includes('\n');
  return addLast(text, container, jsonc, (indent) =>
    indent === undefined || compact ? oneLine(entry) : indentElement(text, entryData(entry), indent),
  );
}

function addList(text: string, parent: Node, entry: BindingEntry): string {
  return addLast(text, toContainer(parent), jsonc, (indent) => {
    const list =
      indent === undefined ? `[${oneLine(entry)}]` : indentElement(text, [entryData(entry)], indent);
    return `${JSON.stringify(entry.list)}: ${list}`;
  });
}

function toContainer(node: Node): Container {
  const last = node.children?.at(-1);
  return {
    start: node.offset,
    end: node.offset + node.length,
    last: last && { start: last.offset, end: last.offset + last.length },
  };
}

function oneLine(entry: BindingEntry): string {
  const pairs = Object.entries(entryData(entry)).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{ ${pairs.join(', ')} }`;
}

function indentElement(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', detectLineEnd(text) + indent);
}
