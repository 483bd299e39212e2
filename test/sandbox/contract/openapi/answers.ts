import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { NamedTypes, TypeSchema } from '../type-schema.ts';
import { readDeclarations } from './declarations.ts';
import { type FindSchema, type PublishedSchema, reachableTypes, SchemaReader } from './published.ts';
import { blankPath } from './requests.ts';

/** The bodies of successful answers that a document declares. */
export interface PublishedAnswers {
  /** The answers by route, such as `GET /zones/{}`; `raw` if the body is not JSON. */
  readonly bodies: ReadonlyMap<string, TypeSchema | 'raw'>;
  readonly types: NamedTypes;
}

/** An OpenAPI document. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly [part: string]: Readonly<Record<string, unknown>> | undefined };
}

interface Operation {
  readonly responses?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: PublishedSchema } | undefined>>;
}

/** Reads the answers of routes from an OpenAPI document, and puts `prefix` in front of the document's paths. */
export function readDocument(
  { paths, components }: OpenApiDocument,
  wanted: ReadonlySet<string>,
  prefix = '',
): PublishedAnswers {
  const find = (ref: string) =>
    ref
      .replace(/^#\/components\//, '')
      .split('/')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], components);
  const reader = new SchemaReader(find as FindSchema);
  const bodies = new Map<string, TypeSchema | 'raw'>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${blankPath(prefix + path)}`;
      if (!wanted.has(name)) continue;
      const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
      if (success === undefined) continue;
      const { content = {} } = success.$ref === undefined ? success : ((find(success.$ref) ?? {}) as Content);
      const body = getBody(content, reader);
      if (body !== undefined) bodies.set(name, body);
    }
  }
  return keepReachable(bodies, reader.types);
}

function getBody(
  content: NonNullable<Content['content']>,
  reader: SchemaReader,
): TypeSchema | 'raw' | undefined {
  const schema = content['application/json']?.schema;
  if (schema !== undefined) return reader.read(schema);
  return Object.keys(content).length > 0 ? 'raw' : undefined;
}

/** Reads the same answers from declarations that openapi-typescript generated from the document. */
export function readDeclaredAnswers(text: string, wanted: ReadonlySet<string>): PublishedAnswers {
  const { operations, schemas } = readDeclarations(text);
  const reader = new SchemaReader((ref) => schemas[ref.replace(/^components\.schemas\./, '')]);
  const bodies = new Map<string, TypeSchema | 'raw'>();
  for (const name of wanted) {
    const responses = operations.get(name)?.properties?.['responses']?.properties ?? {};
    const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
    const content = success?.properties?.['content']?.properties;
    if (content === undefined) continue;
    const schema = content['application/json'];
    bodies.set(name, schema === undefined ? 'raw' : reader.read(schema));
  }
  return keepReachable(bodies, reader.types);
}

function keepReachable(bodies: ReadonlyMap<string, TypeSchema | 'raw'>, types: NamedTypes): PublishedAnswers {
  const roots = [...bodies.values()].filter((body) => body !== 'raw');
  return { bodies, types: reachableTypes(roots, types) };
}

const embedded = 'node_modules/miniflare/dist/src/workers/local-explorer/explorer.worker.js';

/** Reads the part of the provider's document that Miniflare serves. The paths in Miniflare's document do not contain the account. */
export function readEmbeddedDocument(wanted: ReadonlySet<string>): PublishedAnswers {
  const text = readFileSync(embedded, 'utf8');
  const [, literal] = /^var openapi_local_default = (\{.*?^\});$/ms.exec(text) ?? [];
  if (literal === undefined) throw new Error(`${embedded} has no OpenAPI document.`);
  const document = runInNewContext(`JSON.stringify(${literal})`);
  return readDocument(JSON.parse(document), wanted, '/accounts/{account_id}');
}
