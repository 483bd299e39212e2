import {
  type CertificateAuthority,
  type CertificateStatus,
  type CustomHostname,
  dayMilliseconds,
  type HostnameCertificate,
  type HostnameStatus,
} from './hostname.ts';
import type { CertificateOrder } from './request.ts';

/** A certificate part whose status is documented. */
export interface LiveCertificate extends HostnameCertificate {
  readonly status: CertificateStatus;
}

/** The record as on the wire, with statuses that the state machine knows. */
export interface LiveHostname extends CustomHostname {
  readonly status: HostnameStatus;
  readonly verification_errors: readonly string[];
  readonly ssl?: LiveCertificate;
}

/** Hidden state of the hostname's own validation, which the platform does not expose. Times are milliseconds. */
export interface HostnameTrack {
  /** Checks since the last restart. */
  readonly attempts: number;
  readonly nextCheckAt: number;
  /** Whether DNS has ever pointed here. */
  readonly everPointedHere: boolean;
  /**
   * When DNS was first seen to point elsewhere, until a check sees DNS point here again. The days in Moved count from
   * this time.
   */
  readonly awaySince?: number;
  readonly movedAt?: number;
}

/** Hidden state of the certificate, which the platform does not expose. */
export interface CertificateTrack {
  readonly order: CertificateOrder;
  /** Number of the current order; tokens change with it. */
  readonly orderNumber: number;
  readonly attempts: number;
  /** When the current status began. */
  readonly since: number;
  /** When the next step is due; absent if only a caller can change the state. */
  readonly nextAt?: number;
  /** The authority that will issue, or has issued. */
  readonly authority: CertificateAuthority;
  /** Whether CAA was checked and allows issuance: the certificate can be issued. */
  readonly cleared: boolean;
  /** How control was proved for the current order. */
  readonly provedBy?: 'http' | 'txt';
  /** When the installed certificate expires. */
  readonly expiresAt?: number;
}

/** A custom hostname as the platform stores it: the public record and hidden state. Plain JSON. */
export interface HostnameState {
  readonly record: LiveHostname;
  readonly track: HostnameTrack;
  readonly certificate?: CertificateTrack;
  /** Secret from which tokens are derived. */
  readonly seed: string;
  /** The suffix of a delegation target after the hostname: `<uuid>.dcv.<provider>`. */
  readonly delegation: string;
}

/** The public attributes of an issued or uploaded certificate. Times are milliseconds. */
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
  /** Seconds from creation to the first check, and until tokens exist. */
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

/** The time of the next step of the state machine, in milliseconds. */
export function nextMoment(state: HostnameState): number {
  return Math.min(state.track.nextCheckAt, state.certificate?.nextAt ?? Number.POSITIVE_INFINITY);
}

/** When a certificate that expires at `expiresAt` is checked next. */
export function renewalMoment(track: CertificateTrack): number | undefined {
  if (track.expiresAt === undefined) return undefined;
  const lead = track.order.customCertificate === undefined ? renewalDays * dayMilliseconds : 0;
  return track.expiresAt - lead;
}

/** A certificate to issue now. */
export interface WantedCertificate {
  readonly hostname: string;
  readonly wildcard: boolean;
  /** Whether the provider's generic name becomes the Common Name. */
  readonly branding: boolean;
  readonly authority: CertificateAuthority;
  /** When CAA was cleared, in milliseconds: the time for `issued`. */
  readonly since: number;
  /** When the certificate expires, in milliseconds (default: the validity of managed certificates after `since`). */
  readonly expiresAt?: number;
}

/** The certificate that this hostname is waiting for, or undefined. */
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

/** RFC 3339 with microseconds, the platform's format for times. */
export function wireTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}

/** The record with a changed certificate part. */
export function withCertificate(state: HostnameState, change: Partial<HostnameCertificate>): HostnameState {
  const ssl = state.record.ssl;
  if (ssl === undefined) return state;
  return { ...state, record: { ...state.record, ssl: { ...ssl, ...change, status: ssl.status } } };
}

/** A copy of the object without some of its optional fields. */
export function without<T extends object, K extends keyof T>(value: T, ...fields: readonly K[]): Omit<T, K> {
  const rest = { ...value };
  for (const field of fields) delete rest[field];
  return rest;
}
