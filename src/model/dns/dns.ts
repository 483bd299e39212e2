/** The record types that decide about a hostname. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA' | 'NS' | 'SOA';

/** One CAA record. `tag` and `value` are unchanged from the answer; `flags` is the raw byte (RFC 8659, 4.1). */
export interface CaaRecord {
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

/** Parses a CAA record in the form of a zone file (RFC 8659, 4.1.1); undefined if it is not one. */
export function readCaa(text: string): CaaRecord | undefined {
  const [, flags = '', tag = '', quoted, bare] =
    /^(\d{1,3})\s+([a-z0-9]+)\s+(?:"([^"]*)"|(\S+))$/i.exec(text) ?? [];
  if (tag === '' || Number(flags) > 255) return undefined;
  return { flags: Number(flags), tag: tag.toLowerCase(), value: quoted ?? bare ?? '' };
}

/** One record of an answer. Names are lower case without a trailing dot, `ttl` is seconds. */
export type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly name: string; readonly ttl: number; readonly address: string }
  | { readonly type: 'CNAME' | 'NS'; readonly name: string; readonly ttl: number; readonly target: string }
  | { readonly type: 'TXT'; readonly name: string; readonly ttl: number; readonly text: string }
  | { readonly type: 'CAA'; readonly name: string; readonly ttl: number; readonly caa: CaaRecord }
  | { readonly type: 'SOA'; readonly name: string; readonly ttl: number; readonly primary: string };

/** Why a question has no answer. None of these says anything about which records exist. */
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

/** Where the CNAMEs from a name lead, one question a hop. */
export interface AliasChain {
  readonly hops: readonly Alias[];
  /** The last name that was reached: the asked one when there is no CNAME. */
  readonly last: string;
  /** `name`: it exists and is no alias. `nothing`: it does not exist. `unknown`: the question about it failed. */
  readonly end: 'name' | 'nothing' | 'loop' | 'too-long' | 'unknown';
  /** With `unknown`: why. */
  readonly why?: DnsFailure;
  readonly detail?: string;
}

/** One step of a CNAME chain. */
export interface Alias {
  readonly name: string;
  readonly target: string;
}

/**
 * The outcome of one question. `nodata`: the name exists without such a record; `nxdomain`: the name does not exist;
 * `failed`: nobody knows. `aliases` are the CNAMEs that led from the asked name to where the outcome holds.
 */
export type DnsOutcome =
  | { readonly kind: 'records'; readonly records: readonly DnsRecord[]; readonly aliases: readonly Alias[] }
  | { readonly kind: 'nodata'; readonly aliases: readonly Alias[] }
  | { readonly kind: 'nxdomain'; readonly aliases: readonly Alias[] }
  | {
      readonly kind: 'failed';
      readonly why: DnsFailure;
      /** One line for a person, for example `SERVFAIL from 192.0.2.1:53`. May hold bytes from outside. */
      readonly detail: string;
      readonly aliases: readonly Alias[];
    };

/** Asks DNS one question. Never throws: a failure is an outcome. */
export interface Resolver {
  resolve(name: string, type: RecordType): Promise<DnsOutcome>;
}

/** Most CNAMEs that are followed from one name. */
export const longestAliasChain = 16;

/** The form in which names are compared: lower case, no trailing dot. */
export function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** The name without its first label, or undefined for a top-level name: the root is never reached. */
export function parentName(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(dot + 1);
}

/** Whether `name` equals `zone` or lies below it. Both plain. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** The name and its parents, the top-level name last. */
export function namesUpwards(name: string): string[] {
  const names: string[] = [];
  for (let at: string | undefined = name; at !== undefined; at = parentName(at)) names.push(at);
  return names;
}

/** Explains why a name cannot be queried; undefined if it can. Labels of 1 to 63 and names of 1 to 253 ASCII characters. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'the name is empty';
  if (!/^[\x21-\x7e]+$/.test(name)) return 'the name holds characters other than printable ASCII';
  if (name.length > 253) return `the name has ${name.length} characters, at most 253 are possible`;
  const wrong = name.split('.').find((label) => label === '' || label.length > 63);
  if (wrong === undefined) return undefined;
  return wrong === '' ? 'the name has an empty label' : 'a label of the name is longer than 63 characters';
}
