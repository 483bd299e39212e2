import type { ValueOf } from '../shape.ts';
import type {
  customHostname,
  hostnameCertificate,
  hostnameSettings,
  validationRecord,
} from './hostname-shape.ts';

/** All hostname statuses that the platform documents, and `caa_error` from the specification, in wire form. */
export const hostnameStatuses = [
  'active',
  'pending',
  'active_redeploying',
  'moved',
  'pending_deletion',
  'deleted',
  'pending_blocked',
  'pending_migration',
  'pending_provisioned',
  'test_pending',
  'test_active',
  'test_active_apex',
  'test_blocked',
  'test_failed',
  'provisioned',
  'blocked',
  'caa_error',
] as const;

export type HostnameStatus = (typeof hostnameStatuses)[number];

/** All certificate statuses that the platform documents, in wire form. */
export const certificateStatuses = [
  'initializing',
  'pending_validation',
  'deleted',
  'pending_issuance',
  'pending_deployment',
  'pending_deletion',
  'pending_expiration',
  'expired',
  'active',
  'initializing_timed_out',
  'validation_timed_out',
  'issuance_timed_out',
  'deployment_timed_out',
  'deletion_timed_out',
  'pending_cleanup',
  'staging_deployment',
  'staging_active',
  'deactivating',
  'inactive',
  'backup_issued',
  'holding_deployment',
] as const;

export type CertificateStatus = (typeof certificateStatuses)[number];

/** Certificate authorities from which the platform orders certificates. `digicert` exists only on old records. */
export const certificateAuthorities = ['google', 'lets_encrypt', 'ssl_com', 'digicert'] as const;

export type CertificateAuthority = (typeof certificateAuthorities)[number];

/** An authority, or `default` if the platform chooses (an empty string on the wire). */
export type AuthorityChoice = CertificateAuthority | 'default';

export const validationMethods = ['http', 'txt', 'email'] as const;

export type ValidationMethod = (typeof validationMethods)[number];

/** TLS versions that can be set as the minimum. */
export const minimumVersions = ['1.0', '1.1', '1.2', '1.3'] as const;

/** Limits from the specification (section Limits). */
export const hostnameLimits = {
  /** Maximum length of a certificate's Common Name (RFC 5280, appendix A.1). */
  commonName: 64,
  /** Maximum length of a hostname. */
  hostname: 255,
  /** Certificate issuances per minute. */
  issuances: 15,
  /** Seconds during which no certificate is issued after the rate was exceeded. */
  issuanceBlock: 30,
  /** Days in Moved until the platform deletes the custom hostname. */
  movedDays: 7,
  /** Maximum number of bytes of custom metadata as JSON. */
  metadataBytes: 4096,
} as const;

export const dayMilliseconds = 24 * 60 * 60 * 1000;

export type ValidationRecord = ValueOf<typeof validationRecord>;

export type HostnameSettings = ValueOf<typeof hostnameSettings>;

export type HostnameCertificate = ValueOf<typeof hostnameCertificate>;

export type CustomHostname = ValueOf<typeof customHostname>;

export function isHostnameStatus(text: string): text is HostnameStatus {
  return (hostnameStatuses as readonly string[]).includes(text);
}

export function isCertificateStatus(text: string): text is CertificateStatus {
  return (certificateStatuses as readonly string[]).includes(text);
}

export function isCertificateAuthority(text: string): text is CertificateAuthority {
  return (certificateAuthorities as readonly string[]).includes(text);
}

/**
 * Returns whether a certificate status reports that a schedule ended. Ignores the status's prefix, because the documents disagree about the
 * prefix.
 */
export function isTimedOut(status: string | undefined): boolean {
  return status?.endsWith('timed_out') ?? false;
}

/** Returns whether the record reports that CAA blocks the certificate, in any of the three fields that can report it. */
export function hasCaaError(record: CustomHostname): boolean {
  if (record.status === 'caa_error' || record.ssl?.status === 'caa_error') return true;
  return certificateMessages(record).some((message) => /caa[_ ]error|CAA records? block/i.test(message));
}

/** Returns whether the record reports that a zone hold blocks the hostname. */
export function hasHoldMessage(record: CustomHostname): boolean {
  return (record.verification_errors ?? []).some((message) => /held zone|zone hold/i.test(message));
}

/** Returns the platform's messages about the certificate. */
export function certificateMessages(record: CustomHostname): readonly string[] {
  return (record.ssl?.validation_errors ?? []).map((error) => error.message);
}

/** Returns whether the customer uploaded the certificate. In that case, no authority of the platform is involved. */
export function hasCustomCertificate(record: CustomHostname): boolean {
  const certificate = record.ssl;
  return certificate?.custom_certificate !== undefined || certificate?.custom_csr_id !== undefined;
}

/** Returns whether the record reports that both the hostname and its certificate are active. */
export function isReady(record: CustomHostname): boolean {
  return record.status === 'active' && (record.ssl === undefined || record.ssl.status === 'active');
}

/** Returns whether the platform has activated the hostname. A hostname that is being redeployed after a change remains active. */
export function isServed({ status }: Pick<CustomHostname, 'status'>): boolean {
  return status === 'active' || status === 'active_redeploying';
}

/** Returns whether control must still be proved, for the first certificate or for the replacement of an expiring certificate. */
export function isBeingProved(certificate: HostnameCertificate | undefined): boolean {
  return ['pending_validation', 'pending_expiration'].includes(certificate?.status ?? '');
}

/** Returns the names in a managed certificate for this hostname, shortest first. */
export function certificateNames(hostname: string, wildcard: boolean): readonly string[] {
  return wildcard ? [hostname, `*.${hostname}`] : [hostname];
}

/** Patterns for authorities' refusal messages, by type of refusal (Domain control validation: troubleshooting). */
export const refusals = {
  limit: /rate.?limit/i,
  fault: /internal error with certificate authority/i,
  risk: /potential risk|will not issue|refuses to issue/i,
} as const;

/** Returns the authority that refused or failed according to the platform; undefined if no authority did. */
export function refuserIn(record: CustomHostname): string | undefined {
  const messages = certificateMessages(record);
  const isRefused = Object.values(refusals).some((pattern) => messages.some((text) => pattern.test(text)));
  return isRefused ? record.ssl?.certificate_authority : undefined;
}

/** The number of custom hostnames that an origin serves. In a large zone, only some of the hostnames are read. */
export interface ServedCount {
  readonly hostnames: number;
  readonly bound: 'exactly' | 'at most' | 'at least';
}
