import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** Why a text is no JSON, and where: `it is not JSON at its line 2, column 5: comma expected`. For texts that `JSON.parse` refuses. */
export function jsonFault(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  if (first === undefined) return 'it is not JSON';
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  return `it is not JSON at its line ${line}, column ${column}: ${reasonOf(first)}`;
}

/** "CommaExpected" as "comma expected". */
function reasonOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
