import { parse, TomlError } from 'smol-toml';
import { type Parsed, positionOf, SyntaxFault, type ValuePath } from './position.ts';
import { outlineToml, type TomlPlace } from './toml-outline.ts';

/** Parses TOML 1.0. Refuses with `SyntaxFault`. */
export function parseToml(text: string): Parsed {
  const data = parseData(text);
  let places: readonly TomlPlace[] | undefined;
  return {
    data,
    locate(path) {
      places ??= outlineOf(text);
      const place = nearestPlace(places, path);
      return place && positionOf(text, place.start);
    },
  };
}

/** Where everything stands in a text that parses. */
export function outlineOf(text: string): TomlPlace[] {
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

function nearestPlace(places: readonly TomlPlace[], path: ValuePath): TomlPlace | undefined {
  for (let length = path.length; length > 0; length--) {
    const wanted = JSON.stringify(path.slice(0, length));
    const place = places.find((candidate) => JSON.stringify(candidate.path) === wanted);
    if (place !== undefined) return place;
  }
  return undefined;
}
