import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { blank, sdkCalls } from './sdk-routes.ts';
import type { NamedTypes, TypeSchema } from './type-schema.ts';

/** What the official SDK says of the answers to our routes, as the file beside this one keeps it. */
export interface SdkTypes {
  /** Of what it was made: version of the SDK, and the code that made it. */
  readonly madeOf: string;
  /** Of each route of the contract, `GET /zones/:zone`; null where the SDK has no call for it. */
  readonly routes: Readonly<Record<string, SdkRoute | null>>;
  readonly types: NamedTypes;
}

interface SdkRoute {
  readonly module: string;
  /** The type of the body; `raw` where that is no JSON. */
  readonly body: TypeSchema | 'raw';
}

const file = 'test/sandbox/contract/sdk-types.json';

let read: SdkTypes | undefined;

/** The types as they are kept. */
export function sdkTypes(): SdkTypes {
  read ??= JSON.parse(readFileSync(file, 'utf8')) as SdkTypes;
  return read;
}

/** The version of the SDK. */
export const sdkVersion: string = JSON.parse(
  readFileSync('node_modules/cloudflare/package.json', 'utf8'),
).version;

/** Whether the types are those of the SDK that is installed, for the routes of the contract. */
export function areTypesCurrent(): boolean {
  const { madeOf, routes } = sdkTypes();
  const names = Object.keys(contract).sort();
  return madeOf === describeSource() && JSON.stringify(Object.keys(routes)) === JSON.stringify(names);
}

/** What the types would be made of now. */
function describeSource(): string {
  const hash = createHash('sha256');
  for (const name of ['sdk-routes.ts', 'sdk-types.ts'])
    hash.update(readFileSync(`test/sandbox/contract/${name}`));
  return `cloudflare ${sdkVersion}, ${hash.digest('hex').slice(0, 16)}`;
}

/** Makes the types anew and keeps them; takes seconds. */
export async function writeSdkTypes(): Promise<void> {
  // Starts the compiler, which nobody else needs.
  const { bodyTypesOf } = await import('./sdk-types.ts');
  const all = sdkCalls('**');
  const found = Object.keys(contract).flatMap((route) => {
    const call = all.findLast(({ method, path }) => `${method} ${path}` === blank(route));
    return call === undefined ? [] : [{ route, call }];
  });
  const { bodies, types } = bodyTypesOf(found.map(({ call }) => call));
  const known = new Map(
    found.map(({ route, call }, index) => [route, { module: call.file, body: bodies[index] }]),
  );
  const names = Object.keys(contract).sort();
  const routes = names.map((name) => [name, known.get(name) ?? null]);
  const parts = [
    `"madeOf": ${JSON.stringify(describeSource())}`,
    `"routes": {\n${formatLines(routes)}\n}`,
    `"types": {\n${formatLines(Object.entries(types).sort(([left], [right]) => (left < right ? -1 : 1)))}\n}`,
  ];
  writeFileSync(file, `{\n${parts.join(',\n')}\n}\n`);
  read = undefined;
}

/** A line each, so that a new version of the SDK can be read as a diff. */
function formatLines(entries: readonly (readonly unknown[])[]): string {
  return entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
}
