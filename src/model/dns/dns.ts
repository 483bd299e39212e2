/** The record types that are relevant for a hostname. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA' | 'NS' | 'SOA';

/** One CAA record. `tag` and `value` are unchanged from the response; `flags` is the raw byte (RFC 8659, 4.1). */
export interface CaaRecord {
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

/** Parses a CAA record in zone file form (RFC 8659, 4.1.1); undefined if the string is not a CAA record. */
export function parseCaa(text: string): CaaRecord | undefined {
  const [, flags = '', tag = '', quoted, bare] =
    /^(\d{1,3})\s+([a-z0-9]+)\s+(?:"([^"]*)"|(\S+))$/i.exec(text) ?? [];
  if (tag === '' || Number(flags) > 255) return undefined;
  return { flags: Number(flags), tag: tag.toLowerCase(), value: quoted ?? bare ?? '' };
}

/** One record of a DNS response. Names are lower case without a trailing dot; `ttl` is in seconds. */
export type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly name: string; readonly ttl: number; readonly address: string }
  | { readonly type: 'CNAME' | 'NS'; readonly name: string; readonly ttl: number; readonly target: string }
  | { readonly type: 'TXT'; readonly name: string; readonly ttl: number; readonly text: string }
  | { readonly type: 'CAA'; readonly name: string; readonly ttl: number; readonly caa: CaaRecord }
  | { readonly type: 'SOA'; readonly name: string; readonly ttl: number; readonly primary: string };

/** The reason why a query failed. A failure does not show which records exist. */
export type DnsFailure =
  | 'servfail'
  | 'refused'
  | 'rcode'
  | 'timeout'
  | 'unreachable'
  | 'malformed'
  | 'referral'
  | 'loop'
  | 'too-long'
  | 'bad-name'
  | 'interrupted';

/** The CNAMEs from a name to their last target, with one query per hop. */
export interface AliasChain {
  readonly hops: readonly Alias[];
  /** The last name of the chain: the queried name if there is no CNAME. */
  readonly last: string;
  /**
   * The kind of the last name. `name`: the name exists and is not an alias. `nothing`: the name does not exist.
   * `unknown`: the query failed.
   */
  readonly end: 'name' | 'nothing' | 'loop' | 'too-long' | 'unknown';
  /** The reason why the last name is `unknown`. */
  readonly why?: DnsFailure;
  readonly detail?: string;
}

/** One step of a CNAME chain. */
export interface Alias {
  readonly name: string;
  readonly target: string;
}

/**
 * The outcome of one query. `nodata`: the name exists, but has no record of this type. `nxdomain`: the name does not exist. `failed`: the
 * result is unknown. `aliases` are the CNAMEs from the queried name to the name that the outcome describes.
 */
export type DnsOutcome =
  | { readonly kind: 'records'; readonly records: readonly DnsRecord[]; readonly aliases: readonly Alias[] }
  | { readonly kind: 'nodata'; readonly aliases: readonly Alias[] }
  | { readonly kind: 'nxdomain'; readonly aliases: readonly Alias[] }
  | {
      readonly kind: 'failed';
      readonly why: DnsFailure;
      /** The failure in one line for a person, for example `SERVFAIL from 192.0.2.1:53`. May contain untrusted bytes. */
      readonly detail: string;
      readonly aliases: readonly Alias[];
    };

/** Sends one DNS query. Never rejects: a failure is returned as an outcome. */
export interface Resolver {
  resolve(name: string, type: RecordType): Promise<DnsOutcome>;
}

/** Maximum number of CNAMEs to follow from one name. */
export const maxAliasChain = 16;

/** Returns a name in the form used for comparison: lower case, no trailing dot. */
export function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** Returns the name without its first label; undefined for a top-level name. The root is never returned. */
export function parentName(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(dot + 1);
}

/** Returns whether `name` equals `zone` or is below it. Both names must be normalized by `plainName`. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Returns the name and its parents, ending with the top-level name. */
export function nameAndParents(name: string): string[] {
  const names: string[] = [];
  for (let at: string | undefined = name; at !== undefined; at = parentName(at)) names.push(at);
  return names;
}

/** Explains why a name cannot be queried; undefined if it can be queried. Labels must have 1 to 63 ASCII characters, and names 1 to 253. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'the name is empty';
  if (!/^[\x21-\x7e]+$/.test(name)) return 'the name contains characters other than printable ASCII';
  if (name.length > 253) return `the name has ${name.length} characters; the maximum is 253`;
  const wrong = name.split('.').find((label) => label === '' || label.length > 63);
  if (wrong === undefined) return undefined;
  return wrong === '' ? 'the name has an empty label' : 'a label of the name is longer than 63 characters';
}
