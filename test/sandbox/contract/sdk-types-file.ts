import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { blank, sdkCalls } from './sdk-routes.ts';
import type { NamedTypes, TypeSchema } from './type-schema.ts';

/** The SDK's types for the answers to our routes, as stored in the file next to this module. */
export interface SdkTypes {
  /** The input: version of the SDK, and the code that extracted the types. */
  readonly madeOf: string;
  /** The types by route of the contract (`GET /zones/:zone`); null if the SDK has no call for the route. */
  readonly routes: Readonly<Record<string, SdkRoute | null>>;
  readonly types: NamedTypes;
}

interface SdkRoute {
  readonly module: string;
  /** The type of the body; `raw` if it is not JSON. */
  readonly body: TypeSchema | 'raw';
}

const file = 'test/sandbox/contract/sdk-types.json';

let read: SdkTypes | undefined;

/** Returns the stored types. */
export function sdkTypes(): SdkTypes {
  read ??= JSON.parse(readFileSync(file, 'utf8')) as SdkTypes;
  return read;
}

/** The version of the SDK. */
export const sdkVersion: string = JSON.parse(
  readFileSync('node_modules/cloudflare/package.json', 'utf8'),
).version;

/** Returns true if the stored types come from the installed SDK, and cover the routes of the contract. */
export function areTypesCurrent(): boolean {
  const { madeOf, routes } = sdkTypes();
  const names = Object.keys(contract).sort();
  return madeOf === describeSource() && JSON.stringify(Object.keys(routes)) === JSON.stringify(names);
}

/** Describes the current input of the types. */
function describeSource(): string {
  const hash = createHash('sha256');
  for (const name of ['sdk-routes.ts', 'sdk-types.ts'])
    hash.update(readFileSync(`test/sandbox/contract/${name}`));
  return `cloudflare ${sdkVersion}, ${hash.digest('hex').slice(0, 16)}`;
}

/** Extracts and stores the types again, which takes seconds. */
export async function writeSdkTypes(): Promise<void> {
  // Loaded here because the module starts the compiler, which only an update of the types needs.
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

/** Formats one type per line, so that the diff of a new SDK version is readable. */
function formatLines(entries: readonly (readonly unknown[])[]): string {
  return entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
}
