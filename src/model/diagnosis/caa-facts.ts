import type { CaaRecord } from '../dns/dns.ts';

/** The answer of one name on the way up. `alias` is the name whose records they really are, behind CNAMEs. */
export type CaaAnswer =
  | {
      readonly owner: string;
      readonly outcome: 'records';
      readonly records: readonly CaaRecord[];
      readonly alias?: string;
    }
  | { readonly owner: string; readonly outcome: 'none' }
  | { readonly owner: string; readonly outcome: 'failed'; readonly detail: string };

/**
 * The CAA answers for a name, from the name itself upwards, ending at the first that has records, at the first that
 * failed, or at the top-level domain (RFC 8659, 3). Only the last can be anything but `none`.
 */
export interface CaaFacts {
  readonly name: string;
  readonly asked: readonly CaaAnswer[];
}
