import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { contract } from '../../../../src/sandbox/contract/contract.ts';
import type { NamedTypes, TypeSchema } from '../type-schema.ts';
import { readDeclaredAnswers, readDocument, readEmbeddedDocument } from './answers.ts';
import { blankPath, type KnownRequest, readClient, readProgram } from './requests.ts';

/** What the provider's OpenAPI document, and programs generated from it, say of our routes. */
export interface Published {
  /** What it was made of: packages, and the code that read them. */
  readonly madeOf: string;
  /** Where each part comes from, with its date and licence. */
  readonly sources: Readonly<Record<string, string>>;
  /** The routes by the names of our contract; null if no document has the route. */
  readonly routes: Readonly<Record<string, PublishedRoute>>;
  readonly types: NamedTypes;
}

export interface PublishedRoute extends KnownRequest {
  /** The body of a successful answer: `raw` if it is not JSON, null if no document declares it. */
  readonly answer: TypeSchema | 'raw' | null;
}

const folder = 'test/sandbox/contract/openapi';
const file = `${folder}/published.json`;

let read: Published | undefined;

/**
 * Returns the data that was written last. The variable CONTRACT_DOCUMENT names a newer OpenAPI document, whose answers replace
 * those of the data.
 */
export function published(): Published {
  read ??= withGivenDocument(JSON.parse(readFileSync(file, 'utf8')) as Published);
  return read;
}

function withGivenDocument(saved: Published): Published {
  const given = process.env['CONTRACT_DOCUMENT'];
  if (given === undefined || given === '') return saved;
  const names = Object.keys(saved.routes);
  const document = JSON.parse(readFileSync(given, 'utf8'));
  const { bodies, types } = readDocument(document, new Set(names.map(blankRoute)));
  const routes = Object.entries(saved.routes).map(([name, known]) => {
    const answer = renamed(bodies.get(blankRoute(name)), 'given');
    return [name, answer === undefined ? known : { ...known, answer }] as const;
  });
  return {
    ...saved,
    routes: Object.fromEntries(routes),
    types: { ...saved.types, ...renamedTypes(types, 'given') },
  };
}

/** Whether the data is about the routes of the contract, and was made by this code of the installed Miniflare. */
export function isPublishedCurrent(): boolean {
  const { madeOf, routes } = JSON.parse(readFileSync(file, 'utf8')) as Published;
  const names = Object.keys(contract).sort();
  return madeOf === describeSource() && JSON.stringify(Object.keys(routes)) === JSON.stringify(names);
}

function describeSource(): string {
  const hash = createHash('sha256');
  for (const name of globSync(`${folder}/*.ts`).sort()) hash.update(readFileSync(name));
  return `miniflare ${getVersion('node_modules/miniflare')}, ${hash.digest('hex').slice(0, 16)}`;
}

function getVersion(place: string): string {
  return JSON.parse(readFileSync(`${place}/package.json`, 'utf8')).version;
}

/** Downloads the packages with npm and writes the data. */
export async function writePublished(): Promise<void> {
  // Needed only to update the data.
  const { fetchPackages } = await import('./packages.ts');
  const names = Object.keys(contract).sort();
  const wanted = new Set(names.map(blankRoute));
  using packages = fetchPackages();
  const declarations = readFileSync(`${packages.declarations}/dist/types/cloudflare.d.ts`, 'utf8');
  const older = readDeclaredAnswers(declarations, wanted);
  const newer = readEmbeddedDocument(wanted);
  const program = readProgram(packages.program);
  const client = readClient(packages.client);
  const routes = names.map((name): [string, PublishedRoute] => {
    const route = blankRoute(name);
    const requests = [program.get(route), client.get(route)].filter((one) => one !== undefined);
    const isReading = name.startsWith('GET ');
    const body = requests.flatMap((one) => one.body);
    return [
      name,
      {
        query: sorted([...requests.flatMap((one) => one.query), ...(isReading ? body : [])]),
        headers: sorted(requests.flatMap((one) => one.headers)),
        body: sorted(isReading ? [] : body),
        codes: [...new Set(requests.flatMap((one) => one.codes))],
        answer: renamed(newer.bodies.get(route), '2026') ?? renamed(older.bodies.get(route), '2023') ?? null,
      },
    ];
  });
  const types = { ...renamedTypes(older.types, '2023'), ...renamedTypes(newer.types, '2026') };
  const parts = [
    `"madeOf": ${JSON.stringify(describeSource())}`,
    `"sources": ${JSON.stringify(packages.sources, null, 1)}`,
    `"routes": {\n${formatLines(routes)}\n}`,
    `"types": {\n${formatLines(Object.entries(types).sort(([left], [right]) => (left < right ? -1 : 1)))}\n}`,
  ];
  writeFileSync(file, `{\n${parts.join(',\n')}\n}\n`);
  read = undefined;
}

/** Removes the names of parameters from the name of a route. */
export function blankRoute(name: string): string {
  const [method = '', path = ''] = name.split(' ');
  return `${method} ${blankPath(path)}`;
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** One line each, so that a change can be read as a diff. */
function formatLines(entries: readonly (readonly unknown[])[]): string {
  return entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
}

/** Names the types of a document by its year, so that two documents can differ. */
function renamed(body: TypeSchema | 'raw' | undefined, year: string): TypeSchema | 'raw' | undefined {
  return body === undefined || body === 'raw' ? body : withYear(body, year);
}

function renamedTypes(types: NamedTypes, year: string): Record<string, TypeSchema> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [`${year}/${name}`, withYear(type, year)]),
  );
}

function withYear(schema: TypeSchema, year: string): TypeSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? `${year}/${value}` : value));
}
