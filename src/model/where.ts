import { isLoopback } from './loopback.ts';
import type { Target } from './target.ts';

/** The place where a session acts. Decide by its kind, never by a name, an address or a label. */
export type Where =
  | {
      readonly kind: 'remote';
      /** The profile in use; undefined for credentials from the environment. */
      readonly profile?: string | undefined;
      readonly baseUrl: string;
    }
  | InFolder<'sandbox'>
  | InFolder<'local'>;

/** The embedded platform with its account, or local data without an account. */
interface InFolder<Kind extends string> {
  readonly kind: Kind;
  /** Absolute. */
  readonly folder: string;
  /** Address of the server that holds the folder; undefined if this process accesses the folder. */
  readonly baseUrl?: string | undefined;
}

/** The short name for people: a profile's name, or "environment", "sandbox", "local". */
export function formatPlaceName(where: Where): string {
  return where.kind === 'remote' ? (where.profile ?? 'environment') : where.kind;
}

/**
 * Describes the data that a session acts on: its target. The embedded platform is never called production, because its data is
 * not valuable.
 */
export function describeData(where: Pick<Where, 'kind'>, target: Target, isDemo = false): string {
  if (where.kind !== 'sandbox') return target;
  const place = isDemo ? 'demo' : 'sandbox';
  return target === 'preview' ? `${place} preview` : place;
}

/** Whether two sessions act at the same place. A folder is the same place with and without a server. */
export function isSamePlace(one: Where, other: Where): boolean {
  if (one.kind === 'remote') {
    return other.kind === 'remote' && one.profile === other.profile && one.baseUrl === other.baseUrl;
  }
  return one.kind === other.kind && one.folder === other.folder;
}

/**
 * Whether the place may be an embedded platform: a sandbox server can also be reached by its address, on this machine or, where
 * that is allowed, without TLS. A real platform requires TLS.
 */
export function canBeEmbedded(where: Where): boolean {
  if (where.kind !== 'remote') return true;
  const { protocol, hostname } = new URL(where.baseUrl);
  return protocol === 'http:' || isLoopback(hostname);
}
