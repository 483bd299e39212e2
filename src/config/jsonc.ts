import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Parsed, positionOf, SyntaxFault } from './position.ts';

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
    locate(path) {
      for (let length = path.length; root !== undefined && length > 0; length--) {
        const node = findNodeAtLocation(root, [...path.slice(0, length)]);
        if (node !== undefined) return positionOf(text, node.offset);
      }
      return undefined;
    },
  };
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
