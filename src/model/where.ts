import { isLoopback } from './loopback.ts';
import type { Target } from './target.ts';

/** The backend on which a session acts. Code must check its kind, and never a name, an address or a label. */
export type Where =
  | {
      readonly kind: 'remote';
      /** The current profile; undefined for credentials from the environment. */
      readonly profile?: string | undefined;
      readonly baseUrl: string;
    }
  | InFolder<'sandbox'>
  | InFolder<'local'>;

/** A backend with its data in a folder: the embedded platform, which has an account, or local data, which has none. */
interface InFolder<Kind extends string> {
  readonly kind: Kind;
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Address of the server that holds the folder; undefined if this process accesses the folder. */
  readonly baseUrl?: string | undefined;
}

/** Returns a short name for people: the profile's name, or "environment", "sandbox" or "local". */
export function formatPlaceName(where: Where): string {
  return where.kind === 'remote' ? (where.profile ?? 'environment') : where.kind;
}

/**
 * Describes the data on which a session acts, usually by its target. Data of the embedded platform is never called production, because the
 * data is not valuable.
 */
export function describeData(where: Pick<Where, 'kind'>, target: Target, isDemo = false): string {
  if (where.kind !== 'sandbox') return target;
  const place = isDemo ? 'demo' : 'sandbox';
  return target === 'preview' ? `${place} preview` : place;
}

/** Returns whether two sessions act on the same backend. Does not consider whether a server holds the backend's folder. */
export function isSamePlace(one: Where, other: Where): boolean {
  if (one.kind === 'remote') {
    return other.kind === 'remote' && one.profile === other.profile && one.baseUrl === other.baseUrl;
  }
  return one.kind === other.kind && one.folder === other.folder;
}

/**
 * Returns whether a backend may be an embedded platform. A remote backend can also be a sandbox server, whose address is on this machine
 * or, if the user allows it, uses plain HTTP. A real platform requires TLS.
 */
export function canBeEmbedded(where: Where): boolean {
  if (where.kind !== 'remote') return true;
  const { protocol, hostname } = new URL(where.baseUrl);
  return protocol === 'http:' || isLoopback(hostname);
}
