import { dataContract } from './data.ts';
import type { Contract } from './row.ts';
import { sessionContract } from './session.ts';
import { workerContract } from './workers.ts';
import { zoneContract } from './zones.ts';

/** All routes of the provider that the sandbox implements. The sandbox's own routes, below `/sandbox/`, have no row. */
export const contract: Contract = { ...dataContract, ...workerContract, ...zoneContract, ...sessionContract };

/** Returns the query parameters of a request that the route does not support. */
export function unknownParameters(known: readonly string[], query: string): string[] {
  const names = new Set(new URLSearchParams(query).keys());
  return [...names].filter((name) => !known.some((one) => fits(one, name)));
}

function fits(known: string, name: string): boolean {
  return known.endsWith('.*') ? name.startsWith(known.slice(0, -1)) : known === name;
}

/** Returns the unknown fields of a JSON body without duplicates. In a list, the fields of its entries are checked. */
export function unknownFields(known: readonly string[], body: unknown): string[] {
  const entries = Array.isArray(body) ? body : [body];
  const strange = new Set<string>();
  for (const entry of entries) for (const name of findUnknownFields(known, entry, '')) strange.add(name);
  return [...strange];
}

/** Yields the unknown fields of a value. The subfields of a known field are checked only if the contract lists subfields of this field. */
function* findUnknownFields(known: readonly string[], value: unknown, before: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    const place = [`${before}${name}`, `${before}*`].find((one) => known.includes(one));
    if (place === undefined) yield `${before}${name}`;
    else if (known.some((one) => one.startsWith(`${place}.`)))
      for (const entry of Array.isArray(field) ? field : [field])
        yield* findUnknownFields(known, entry, `${place}.`);
  }
}
