import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { locatorOver, type Parsed, positionOf, SyntaxFault, type ValuePath } from './position.ts';

const options = { allowTrailingComma: true, allowEmptyContent: false };

/** Parses JSON with comments and trailing commas. Refuses with `SyntaxFault`. */
export function parseJsonc(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, options);
  const [first] = errors;
  if (first !== undefined) {
    throw new SyntaxFault(`not JSON: ${reasonOf(first)}`, positionOf(text, first.offset));
  }
  return {
    data: root && dataOf(root),
    locate: locatorOver(text, () => (root === undefined ? [] : placesIn(root, []))),
  };
}

/** The values in a node, each with its path. */
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
 * The value of a node. The parser's own `parse` assigns each member, which makes of `__proto__` the prototype: members
 * below it would be found as if they were the object's own.
 */
function dataOf({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(dataOf);
  if (type !== 'object') return value;
  const members = children.flatMap(({ children: [name, member] = [] }) =>
    name === undefined || member === undefined ? [] : [[name.value, dataOf(member)] as const],
  );
  return Object.fromEntries(members);
}

/** "CommaExpected" as "comma expected". */
function reasonOf(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
