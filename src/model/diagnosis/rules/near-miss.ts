import { type Facts, ifKnown } from '../facts.ts';

/** A CNAME target that is nearly right, and the one that was meant. */
export interface NearMiss {
  readonly cause: string;
  readonly meant: string;
}

/** Finds the usual slips in a CNAME that does not lead into the zone: the zone appended, labels lost, a typing error. */
export function nearMiss(facts: Facts): NearMiss | undefined {
  const zone = ifKnown(facts.zone)?.name;
  const written = facts.dns.chain.hops[0]?.target;
  if (zone === undefined || written === undefined) return undefined;
  const target = ifKnown(facts.target) ?? zone;
  const appended = written.lastIndexOf(`${zone}.`);
  if (appended === 0 || (appended > 0 && written[appended - 1] === '.')) {
    const meant = written.slice(0, appended + zone.length);
    return { cause: "The DNS panel has appended the customer's zone to the target.", meant };
  }
  if (zone.startsWith(`${written}.`) || target.startsWith(`${written}.`)) {
    return { cause: 'The end of the target is missing.', meant: target };
  }
  if (differences(written, target) <= 2 || sameTail(written, zone)) {
    return { cause: 'The target is misspelt.', meant: target };
  }
  return undefined;
}

/** Whether the last labels of a name are the zone with one or two letters wrong. */
function sameTail(written: string, zone: string): boolean {
  const labels = zone.split('.').length;
  const tail = written.split('.').slice(-labels).join('.');
  return tail !== zone && zone.length > 6 && differences(tail, zone) <= 2;
}

/** Letters to insert, delete or replace (Levenshtein distance), counted up to 3. */
export function differences(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return Math.min(3, previous.at(-1) ?? 3);
}
