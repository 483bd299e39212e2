import { parse, TomlError } from 'smol-toml';
import { createLocator, type Parsed, SyntaxFault } from './position.ts';
import { outlineToml, type TomlSpan } from './toml-outline.ts';

/** Parses TOML 1.0. Throws `SyntaxFault` for invalid input. */
export function parseToml(text: string): Parsed {
  return {
    data: parseData(text),
    locate: createLocator(text, () => outlineValidToml(text).map(({ path, start }) => [path, start])),
  };
}

/** Returns the positions of all values and headers in valid TOML. */
export function outlineValidToml(text: string): TomlSpan[] {
  return outlineToml(text, (written) =>
    /^[\w-]+$/.test(written) ? written : (Object.keys(parse(`${written} = 0`))[0] ?? ''),
  );
}

function parseData(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    const reason = first.replace(/^Invalid TOML document: /, '');
    throw new SyntaxFault(`not TOML: ${reason}`, { line: error.line, column: error.column });
  }
}
