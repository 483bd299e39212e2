import { dataContract } from './data.ts';
import type { Contract } from './row.ts';
import { sessionContract } from './session.ts';
import { workerContract } from './workers.ts';
import { zoneContract } from './zones.ts';

/** Every route of the provider that the sandbox has. Routes below `/sandbox/` are its own, and have no row. */
export const contract: Contract = { ...dataContract, ...workerContract, ...zoneContract, ...sessionContract };

/** The query parameters of a request that are not honoured. */
export function strangeParameters(known: readonly string[], query: string): string[] {
  const names = new Set(new URLSearchParams(query).keys());
  return [...names].filter((name) => !known.some((one) => fits(one, name)));
}

function fits(known: string, name: string): boolean {
  return known.endsWith('.*') ? name.startsWith(known.slice(0, -1)) : known === name;
}

/** The fields of a JSON body that are not known, each once; of a list those of its entries. */
export function strangeFields(known: readonly string[], body: unknown): string[] {
  const entries = Array.isArray(body) ? body : [body];
  const strange = new Set<string>();
  for (const entry of entries) for (const name of namesOf(known, entry, '')) strange.add(name);
  return [...strange];
}

/** Goes into objects, and lists of them, of which fields are known. */
function* namesOf(known: readonly string[], value: unknown, before: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    const place = [`${before}${name}`, `${before}*`].find((one) => known.includes(one));
    if (place === undefined) yield `${before}${name}`;
    else if (known.some((one) => one.startsWith(`${place}.`)))
      for (const entry of Array.isArray(field) ? field : [field]) yield* namesOf(known, entry, `${place}.`);
  }
}
