import type { DnsOutcome, DnsRecord, RecordType, Resolver } from '../../src/model/dns/dns.ts';

/** A name in an invented DNS: an alias, or record values by type; queries for the `broken` types fail. */
export interface MadeUpName {
  readonly alias?: string;
  readonly records?: readonly DnsRecord[];
  readonly broken?: readonly RecordType[];
}

/** Returns a resolver for an invented DNS in memory. The resolver follows up to 16 aliases, as a recursive server does. */
export function madeUp(names: ReadonlyMap<string, MadeUpName>): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  const exists = (name: string) =>
    [...names.keys()].some((known) => known === name || known.endsWith(`.${name}`));
  const answer = (name: string, type: RecordType): DnsOutcome => {
    const aliases = [];
    let at = name;
    for (;;) {
      const here = names.get(at);
      if (here?.broken?.includes(type))
        return { kind: 'failed', why: 'servfail', detail: `SERVFAIL at ${at}`, aliases };
      if (here?.alias !== undefined && type === 'CNAME') {
        const record = { type, name: at, ttl: 60, target: here.alias } as const;
        return { kind: 'records', records: [record], aliases };
      }
      if (here?.alias === undefined) {
        const records = (here?.records ?? []).filter((record) => record.type === type);
        if (records.length > 0) return { kind: 'records', records, aliases };
        return { kind: exists(at) ? 'nodata' : 'nxdomain', aliases };
      }
      aliases.push({ name: at, target: here.alias });
      at = here.alias;
      if (aliases.length > 16) return { kind: 'failed', why: 'loop', detail: 'loop', aliases };
    }
  };
  return {
    asked,
    async resolve(name, type) {
      asked.push(`${type} ${name}`);
      return answer(name, type);
    },
  };
}
