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

/** Goes into objects of which fields are known. */
function* namesOf(known: readonly string[], value: unknown, before: string): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const whole = `${before}${name}`;
    if (!known.includes(whole)) yield whole;
    else if (known.some((one) => one.startsWith(`${whole}.`))) yield* namesOf(known, field, `${whole}.`);
  }
}
