import { parse, TomlError } from 'smol-toml';
import { type Parsed, positionOf, SyntaxFault, type ValuePath } from './position.ts';
import { outlineToml, type TomlSpan } from './toml-outline.ts';

/** Parses TOML 1.0. Refuses with `SyntaxFault`. */
export function parseToml(text: string): Parsed {
  const data = parseData(text);
  let spans: readonly TomlSpan[] | undefined;
  return {
    data,
    locate(path) {
      spans ??= outlineOf(text);
      const span = nearestSpan(spans, path);
      return span && positionOf(text, span.start);
    },
  };
}

/** The positions of all values and headers in a text that parses. */
export function outlineOf(text: string): TomlSpan[] {
  return outlineToml(text, (written) => Object.keys(parse(`${written} = 0`))[0] ?? '');
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

function nearestSpan(spans: readonly TomlSpan[], path: ValuePath): TomlSpan | undefined {
  for (let length = path.length; length > 0; length--) {
    const wanted = JSON.stringify(path.slice(0, length));
    const span = spans.find((candidate) => JSON.stringify(candidate.path) === wanted);
    if (span !== undefined) return span;
  }
  return undefined;
}
