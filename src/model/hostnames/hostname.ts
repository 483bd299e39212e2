import type { ValueOf } from '../shape.ts';
import type {
  customHostname,
  hostnameCertificate,
  hostnameSettings,
  validationRecord,
} from './hostname-shape.ts';

/** Every hostname status that the platform documents, and `caa_error` of the specification. Wire form. */
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

/** Every certificate status that the platform documents. Wire form. */
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

/** An authority, or the platform's own choice (an empty string on the wire). */
export type AuthorityChoice = CertificateAuthority | 'default';

export const validationMethods = ['http', 'txt', 'email'] as const;

export type ValidationMethod = (typeof validationMethods)[number];

/** TLS versions that can be set as the minimum. */
export const minimumVersions = ['1.0', '1.1', '1.2', '1.3'] as const;

/** Specification, Limits. */
export const hostnameLimits = {
  /** Maximum length of a certificate's Common Name (RFC 5280, appendix A.1). */
  commonName: 64,
  /** Maximum length of a hostname. */
  hostname: 255,
  /** Certificate issuances per minute. */
  issuances: 15,
  /** Seconds without new issuance after the rate was exceeded. */
  issuanceBlock: 30,
  /** Days in Moved, after which the custom hostname is deleted. */
  movedDays: 7,
  /** Maximum bytes of custom metadata as JSON. */
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

/** Whether a certificate status means that a schedule ended, whatever its prefix: the documents differ. */
export function isTimedOut(status: string | undefined): boolean {
  return status?.endsWith('timed_out') ?? false;
}

/** Whether the record reports that CAA blocks the certificate, in any of three fields. */
export function hasCaaError(record: CustomHostname): boolean {
  if (record.status === 'caa_error' || record.ssl?.status === 'caa_error') return true;
  return certificateMessages(record).some((message) => /caa[_ ]error|CAA records? block/i.test(message));
}

/** Whether a zone hold blocks the hostname according to its record. */
export function hasHoldMessage(record: CustomHostname): boolean {
  return (record.verification_errors ?? []).some((message) => /held zone|zone hold/i.test(message));
}

/** The messages about the certificate. */
export function certificateMessages(record: CustomHostname): readonly string[] {
  return (record.ssl?.validation_errors ?? []).map((error) => error.message);
}

/** Whether the customer uploaded the certificate, so that none of the platform's authorities is involved. */
export function hasCustomCertificate(record: CustomHostname): boolean {
  const certificate = record.ssl;
  return certificate?.custom_certificate !== undefined || certificate?.custom_csr_id !== undefined;
}

/** Whether both the hostname and its certificate are in service, according to the record. */
export function isReady(record: CustomHostname): boolean {
  return record.status === 'active' && (record.ssl === undefined || record.ssl.status === 'active');
}

/** Whether the platform has activated the hostname; one that is being redeployed after a change stays active. */
export function isServed({ status }: Pick<CustomHostname, 'status'>): boolean {
  return status === 'active' || status === 'active_redeploying';
}

/** Whether control must still be proved for a certificate: the first one, or the replacement of an expiring one. */
export function isBeingProved(certificate: HostnameCertificate | undefined): boolean {
  return ['pending_validation', 'pending_expiration'].includes(certificate?.status ?? '');
}

/** The names in a managed certificate for this hostname, shortest first. */
export function certificateNames(hostname: string, wildcard: boolean): readonly string[] {
  return wildcard ? [hostname, `*.${hostname}`] : [hostname];
}

/** Patterns of refusal messages from authorities, by their meaning (Domain control validation: troubleshooting). */
export const refusals = {
  limit: /rate.?limit/i,
  fault: /internal error with certificate authority/i,
  risk: /potential risk|will not issue|refuses to issue/i,
} as const;

/** The authority that has refused or failed according to the platform; undefined if no authority has. */
export function refuserIn(record: CustomHostname): string | undefined {
  const messages = certificateMessages(record);
  const isRefused = Object.values(refusals).some((pattern) => messages.some((text) => pattern.test(text)));
  return isRefused ? record.ssl?.certificate_authority : undefined;
}

/** The number of custom hostnames that an origin serves. For a large zone, not every hostname is read. */
export interface ServedCount {
  readonly hostnames: number;
  readonly bound: 'exactly' | 'at most' | 'at least';
}
