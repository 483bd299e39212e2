import type { PublishedSchema } from './published.ts';

/** Schemas by name, and the text of operations by id, of an OpenAPI document that was converted to TypeScript declarations. */
export interface Declarations {
  /** Operation ids by `GET /zones/{}`: parameters have no name. */
  readonly operations: ReadonlyMap<string, PublishedSchema>;
  /** Schemas of the document by name. */
  readonly schemas: Readonly<Record<string, PublishedSchema>>;
}

/** Reads declarations that openapi-typescript 6 generated. Throws on anything else. */
export function readDeclarations(text: string): Declarations {
  const parser = new Parser(text.slice(text.indexOf('export type paths')));
  const declared = parser.parseDeclarations();
  const operations = getProperties(declared.get('operations'));
  const found = new Map<string, PublishedSchema>();
  for (const [path, methods] of Object.entries(getProperties(declared.get('paths')))) {
    for (const [method, operation] of Object.entries(getProperties(methods))) {
      const id = operation.$ref?.replace(/^operations\./, '') ?? '';
      const known = operations[id];
      if (known !== undefined)
        found.set(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`, known);
    }
  }
  return { operations: found, schemas: getProperties(getProperties(declared.get('components'))['schemas']) };
}

function getProperties(schema: PublishedSchema | undefined): Readonly<Record<string, PublishedSchema>> {
  return schema?.properties ?? {};
}

const token = /\/\*\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\w.+-]*|[A-Za-z_$][\w$]*|[^\s]/y;

/** A recursive descent parser for the few forms of types that openapi-typescript emits. */
class Parser {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = getTokens(text);
  }

  parseDeclarations(): Map<string, PublishedSchema> {
    const found = new Map<string, PublishedSchema>();
    while (this.at < this.tokens.length) {
      this.comment();
      this.accept('export');
      this.accept('declare');
      if (!this.accept('type')) {
        this.at += 1;
        continue;
      }
      const name = this.next();
      if (!this.accept('=')) continue;
      found.set(name, this.union());
      this.accept(';');
    }
    return found;
  }

  private union(): PublishedSchema {
    this.accept('|');
    const all = [this.intersection()];
    while (this.accept('|')) all.push(this.intersection());
    return uniteSchemas(all);
  }

  private intersection(): PublishedSchema {
    let whole = this.list();
    while (this.accept('&')) whole = { allOf: [...(whole.allOf ?? [whole]), this.list()] };
    return whole;
  }

  private list(): PublishedSchema {
    this.accept('readonly');
    let one = this.primary();
    while (this.peek() === '[') {
      this.at += 1;
      if (this.accept(']')) one = { type: 'array', items: one };
      else {
        const name = JSON.parse(this.next());
        this.expect(']');
        one = { $ref: one.$ref === undefined ? name : `${one.$ref}.${name}` };
      }
    }
    return one;
  }

  private primary(): PublishedSchema {
    this.comment();
    const word = this.next();
    if (word === '(') {
      const inner = this.union();
      this.expect(')');
      return inner;
    }
    if (word === '{') return this.object();
    if (word === '[') return this.tuple();
    if (/^["'\d-]/.test(word)) return { enum: [word.startsWith("'") ? word.slice(1, -1) : JSON.parse(word)] };
    return this.named(word);
  }

  private named(word: string): PublishedSchema {
    const simple = simpleTypes[word];
    if (simple !== undefined) return simple;
    if (!this.accept('<')) return { $ref: word };
    const given = [this.union()];
    while (this.accept(',')) given.push(this.union());
    this.expect('>');
    const [first = {}, second = {}] = given;
    if (word === 'OneOf') return { anyOf: first.anyOf ?? [] };
    if (word === 'Record') return { type: 'object', additionalProperties: {} };
    if (word === 'WithRequired') return { allOf: [first, { type: 'object', required: namesIn(second) }] };
    throw new Error(`The declarations have the unknown type ${word}.`);
  }

  private tuple(): PublishedSchema {
    const items: PublishedSchema[] = [];
    while (!this.accept(']')) {
      items.push(this.union());
      this.accept(',');
    }
    return { anyOf: items };
  }

  private object(): PublishedSchema {
    const properties: Record<string, PublishedSchema> = {};
    const required: string[] = [];
    let others: PublishedSchema | undefined;
    for (;;) {
      const about = this.comment();
      if (this.accept('}')) break;
      this.acceptModifier();
      if (this.accept('[')) {
        while (!this.accept(']')) this.at += 1;
        this.expect(':');
        others = this.union();
      } else {
        const word = this.next();
        const name = word.startsWith('"') ? JSON.parse(word) : word;
        if (!this.accept('?')) required.push(name);
        this.expect(':');
        properties[name] = withExample(this.union(), about);
      }
      this.accept(';');
    }
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      additionalProperties: others ?? {},
    };
  }

  /** The comment in front of the next token, empty if there is none. */
  private comment(): string {
    let last = '';
    while (this.peek().startsWith('/**')) last = this.next();
    return last;
  }

  private peek(): string {
    return this.tokens[this.at] ?? '';
  }

  private next(): string {
    const word = this.tokens[this.at];
    if (word === undefined) throw new Error('The declarations end in the middle of a type.');
    this.at += 1;
    return word;
  }

  private accept(word: string): boolean {
    if (this.peek() !== word) return false;
    this.at += 1;
    return true;
  }

  /** A field can be named `readonly` as well. */
  private acceptModifier(): void {
    if (!/^[?:]$/.test(this.tokens[this.at + 1] ?? '')) this.accept('readonly');
  }

  private expect(word: string): void {
    const found = this.next();
    if (found !== word) {
      const before = this.tokens.slice(Math.max(0, this.at - 12), this.at).join(' ');
      throw new Error(`The declarations have ${found} instead of ${word} after: ${before}`);
    }
  }
}

function getTokens(text: string): string[] {
  const found: string[] = [];
  const space = /\s*/y;
  for (let at = 0; at < text.length; ) {
    space.lastIndex = at;
    space.exec(text);
    token.lastIndex = space.lastIndex;
    const [word] = token.exec(text) ?? [];
    if (word === undefined) break;
    found.push(word);
    at = token.lastIndex;
  }
  return found;
}

const simpleTypes: Readonly<Record<string, PublishedSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  true: { enum: [true] },
  false: { enum: [false] },
  null: { type: 'null' },
  unknown: {},
  any: {},
  never: {},
  undefined: {},
};

function namesIn(schema: PublishedSchema): string[] {
  const values = [...(schema.enum ?? []), ...(schema.anyOf ?? []).flatMap((one) => one.enum ?? [])];
  return values.filter((value) => typeof value === 'string');
}

function uniteSchemas(all: readonly PublishedSchema[]): PublishedSchema {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const values = all.flatMap((one) => one.enum ?? []);
  const rest = all.filter((one) => one.enum === undefined);
  if (rest.length === 0) return { enum: values };
  return { anyOf: values.length > 0 ? [{ enum: values }, ...rest] : rest };
}

function withExample(schema: PublishedSchema, about: string): PublishedSchema {
  const said = /@example ([\s\S]*?)\s*(?:\*\/|\n\s*\*\s*@)/.exec(about)?.[1]?.replace(/\n\s*\* ?/g, '\n');
  if (said === undefined) return schema;
  return { ...schema, example: getExample(schema, said) };
}

function getExample(schema: PublishedSchema, said: string): unknown {
  if (schema.type === 'string') return said;
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}
