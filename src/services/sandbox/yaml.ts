// This module exists because the package is loaded lazily, and the bundler does not support named exports of a CommonJS package in dynamic
// imports.
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

export { stringify } from 'yaml';

/** The value of a YAML document, or why the document is invalid. */
export type ReadYaml = { readonly value: unknown } | { readonly fault: string };

/** Reads YAML in linear time. Detects duplicate keys itself, because the library would compare each key of a map with all other keys. */
export function readYaml(text: string): ReadYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter });
  const [fault] = document.errors;
  if (fault !== undefined) return { fault: readableFault(fault.message.split('\n')[0] ?? '') };
  try {
    const offset = repeatedKey(document);
    if (offset === undefined) return { value: document.toJS() };
    const { line, col } = lineCounter.linePos(offset);
    return { fault: `Map keys must be unique at line ${line}, column ${col}` };
  } catch (error) {
    return { fault: readableFault(error instanceof Error ? error.message : String(error)) };
  }
}

/** Replaces the engine's message about a stack overflow, which the library reports for deeply nested values. */
function readableFault(message: string): string {
  return message.replace(/^Maximum call stack size exceeded/, 'it is nested too deeply');
}

/** Returns the offset of the first duplicate key; undefined if there is none. */
function repeatedKey(document: ReturnType<typeof parseDocument>): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) offset = key.range?.[0] ?? 0;
        if (offset !== undefined) return visit.BREAK;
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}
