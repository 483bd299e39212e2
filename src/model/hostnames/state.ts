import {
  type CertificateAuthority,
  type CertificateStatus,
  type CustomHostname,
  dayMilliseconds,
  type HostnameCertificate,
  type HostnameStatus,
} from './hostname.ts';
import type { CertificateOrder } from './request.ts';

/** A hostname's certificate with a documented status. */
export interface LiveCertificate extends HostnameCertificate {
  readonly status: CertificateStatus;
}

/** The hostname record in wire form, with statuses that the state machine supports. */
export interface LiveHostname extends CustomHostname {
  readonly status: HostnameStatus;
  readonly verification_errors: readonly string[];
  readonly ssl?: LiveCertificate;
}

/** Hidden state of the hostname's own validation, which the platform does not expose. Times are in milliseconds. */
export interface HostnameTrack {
  /** Number of checks since the last restart. */
  readonly attempts: number;
  readonly nextCheckAt: number;
  /** Whether DNS has ever pointed here. */
  readonly everPointedHere: boolean;
  /**
   * When DNS was first seen to point elsewhere. Deleted when a check finds DNS pointing here again. The days in Moved are counted from this
   * time.
   */
  readonly awaySince?: number;
  readonly movedAt?: number;
}

/** Hidden state of the certificate, which the platform does not expose. */
export interface CertificateTrack {
  readonly order: CertificateOrder;
  /** Number of the current order. Each order has new tokens. */
  readonly orderNumber: number;
  readonly attempts: number;
  /** When the current status began. */
  readonly since: number;
  /** When the next step is due; absent if no step is scheduled. */
  readonly nextAt?: number;
  /** The authority that will issue, or has issued. */
  readonly authority: CertificateAuthority;
  /** Whether CAA was checked and allows issuance, so that the certificate can be issued. */
  readonly cleared: boolean;
  /** The method by which control was proved for the current order. */
  readonly provedBy?: 'http' | 'txt';
  /** When the installed certificate expires. */
  readonly expiresAt?: number;
}

/** A custom hostname as the platform stores it: the public record, and hidden state. Contains only plain JSON. */
export interface HostnameState {
  readonly record: LiveHostname;
  readonly track: HostnameTrack;
  readonly certificate?: CertificateTrack;
  /** The secret from which tokens are derived. */
  readonly seed: string;
  /** The part of a delegation target after the hostname: `<uuid>.dcv.<provider>`. */
  readonly delegation: string;
}

/** The public attributes of an issued or uploaded certificate. Times are in milliseconds. */
export interface InstalledCertificate {
  readonly issuer: string;
  readonly serialNumber: string;
  readonly signature: string;
  readonly hosts: readonly string[];
  readonly uploadedAt: number;
  readonly expiresAt: number;
}

/** Durations in seconds that the platform does not document. */
export const machineSeconds = {
  /** Seconds from the creation of a hostname to its first check, and to the creation of its tokens. */
  tokens: 2,
  deployment: 3,
  /** Seconds between the checks of a settled hostname. */
  watch: 60,
  /** Seconds between attempts to renew. */
  renewal: 14_400,
} as const;

/** Days for which a managed certificate is valid. */
export const validDays = 90;

/** Days before its expiry at which a certificate is renewed. */
export const renewalDays = 30;

/** Returns the time of the state machine's next step, in milliseconds. */
export function nextMoment(state: HostnameState): number {
  return Math.min(state.track.nextCheckAt, state.certificate?.nextAt ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the time at which the renewal of the installed certificate begins or, if the certificate was uploaded, the time at which it
 * expires; undefined if no certificate is installed.
 */
export function renewalMoment(track: CertificateTrack): number | undefined {
  if (track.expiresAt === undefined) return undefined;
  const lead = track.order.customCertificate === undefined ? renewalDays * dayMilliseconds : 0;
  return track.expiresAt - lead;
}

/** A certificate that must be issued now. */
export interface WantedCertificate {
  readonly hostname: string;
  readonly wildcard: boolean;
  /** Whether the provider's generic name becomes the Common Name. */
  readonly branding: boolean;
  readonly authority: CertificateAuthority;
  /** When the CAA check allowed issuance, in milliseconds. Pass this time to `issued`. */
  readonly since: number;
  /** When the certificate expires, in milliseconds (default: `since` plus the validity of managed certificates). */
  readonly expiresAt?: number;
}

/** Returns the certificate for which this hostname is waiting; undefined if it is not waiting. */
export function wantedCertificate(state: HostnameState): WantedCertificate | undefined {
  const track = state.certificate;
  if (track?.cleared !== true || state.record.ssl?.status !== 'pending_issuance') return undefined;
  const { wildcard, branding } = track.order;
  return {
    hostname: state.record.hostname,
    wildcard,
    branding,
    authority: track.authority,
    since: track.since,
  };
}

/** Formats a time in the platform's format: RFC 3339 with microseconds. */
export function wireTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}

/** Returns the hostname with a changed certificate. */
export function withCertificate(state: HostnameState, change: Partial<HostnameCertificate>): HostnameState {
  const ssl = state.record.ssl;
  if (ssl === undefined) return state;
  return { ...state, record: { ...state.record, ssl: { ...ssl, ...change, status: ssl.status } } };
}

/** Returns a copy of the object without some of its optional fields. */
export function without<T extends object, K extends keyof T>(value: T, ...fields: readonly K[]): Omit<T, K> {
  const rest = { ...value };
  for (const field of fields) delete rest[field];
  return rest;
}
