import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Parsed, positionOf, SyntaxFault } from './position.ts';

const options = { allowTrailingComma: true, allowEmptyContent: false };

/** Parses JSON with comments and trailing commas. Refuses with `SyntaxFault`. */
export function parseJsonc(text: string): Parsed {
  const errors: ParseError[] = [];
  const data: unknown = parse(text, errors, options);
  const [first] = errors;
  if (first !== undefined) {
    throw new SyntaxFault(`not JSON: ${reasonOf(first)}`, positionOf(text, first.offset));
  }
  return {
    data,
    locate(path) {
      const root = parseTree(text, [], options);
      for (let length = path.length; root !== undefined && length > 0; length--) {
        const node = findNodeAtLocation(root, [...path.slice(0, length)]);
        if (node !== undefined) return positionOf(text, node.offset);
      }
      return undefined;
    },
  };
}

/** "CommaExpected" as "comma expected". */
function reasonOf(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
