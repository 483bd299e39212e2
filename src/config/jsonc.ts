import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { createLocator, findPosition, type Parsed, SyntaxFault, type ValuePath } from './position.ts';

const options = { allowTrailingComma: true, allowEmptyContent: false };

/** Parses JSON with comments and trailing commas. Throws `SyntaxFault` for invalid input. */
export function parseJsonc(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, options);
  const [first] = errors;
  if (first !== undefined) {
    throw new SyntaxFault(`not JSON: ${formatParseError(first)}`, findPosition(text, first.offset));
  }
  return {
    data: root && nodeValue(root),
    locate: createLocator(text, () => (root === undefined ? [] : placesIn(root, []))),
  };
}

/** Yields the offsets of the values in a node, each with its path. */
function* placesIn({ type, children = [] }: Node, at: ValuePath): Generator<readonly [ValuePath, number]> {
  for (const [index, child] of children.entries()) {
    const [name, member] = type === 'object' ? (child.children ?? []) : [undefined, child];
    if (member === undefined) continue;
    const path = [...at, type === 'object' ? String(name?.value) : index];
    yield [path, member.offset];
    yield* placesIn(member, path);
  }
}

/**
 * Returns a node's value. Does not use the library's `parse`, which assigns each member: assigning `__proto__` would set the object's
 * prototype, and the members of the prototype would look like the object's own.
 */
function nodeValue({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(nodeValue);
  if (type !== 'object') return value;
  const members = children.flatMap(({ children: [name, member] = [] }) =>
    name === undefined || member === undefined ? [] : [[name.value, nodeValue(member)] as const],
  );
  return Object.fromEntries(members);
}

/** Converts "CommaExpected" to "comma expected". */
function formatParseError(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
