// A file of its own, because it is loaded late, and the bundler gives no names of a CommonJS package to a late import.
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

export { stringify } from 'yaml';

/** The value of a YAML document, or why the text is none. */
export type ReadYaml = { readonly value: unknown } | { readonly fault: string };

/** Reads YAML in linear time: the library compares each key of a map with all others, so equal keys are found here. */
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

/** Nested values take stack, and the library gives the engine's words. */
function readableFault(message: string): string {
  return message.replace(/^Maximum call stack size exceeded/, 'it is nested too deeply');
}

/** The offset of the first key that its map has already. */
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
