import { isLoopback } from './loopback.ts';
import type { Target } from './target.ts';

/** The place where a session acts. Decide by its kind, never by a name, an address or a label. */
export type Where =
  | {
      readonly kind: 'remote';
      /** The profile acted as; undefined for credentials of the environment. */
      readonly profile?: string | undefined;
      readonly baseUrl: string;
    }
  | InFolder<'sandbox'>
  | InFolder<'local'>;

/** The embedded platform with its account, or local data without one. */
interface InFolder<Kind extends string> {
  readonly kind: Kind;
  /** Absolute. */
  readonly folder: string;
  /** Of the server that holds the folder; undefined where it is acted on in this process. */
  readonly baseUrl?: string | undefined;
}

/** The short name that people know it by: a profile's, or "environment", "sandbox", "local". */
export function whereName(where: Where): string {
  return where.kind === 'remote' ? (where.profile ?? 'environment') : where.kind;
}

/**
 * The data that a session acts on, for people: its target; of the embedded platform, where nothing is at stake, never
 * production.
 */
export function dataWords(where: Pick<Where, 'kind'>, target: Target, isDemo = false): string {
  if (where.kind !== 'sandbox') return target;
  const place = isDemo ? 'demo' : 'sandbox';
  return target === 'preview' ? `${place} preview` : place;
}

/** Whether two sessions act at one place. A folder is the same whether or not a server holds it at the moment. */
export function isSameWhere(one: Where, other: Where): boolean {
  if (one.kind === 'remote') {
    return other.kind === 'remote' && one.profile === other.profile && one.baseUrl === other.baseUrl;
  }
  return one.kind === other.kind && one.folder === other.folder;
}

/**
 * Whether an embedded platform may answer there: one that is served is reached by its address too, on this machine or
 * without TLS where that is allowed; a real one has TLS.
 */
export function mayBeEmbedded(where: Where): boolean {
  if (where.kind !== 'remote') return true;
  const { protocol, hostname } = new URL(where.baseUrl);
  return protocol === 'http:' || isLoopback(hostname);
}
