import { commonNameRefusal } from '../../model/hostnames/fault.ts';
import {
  type CustomHostname,
  certificateMessages,
  isCertificateAuthority,
  isCertificateStatus,
  isHostnameStatus,
  type ValidationMethod,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import type { SeedCertificate, SeedHostname } from '../../model/sandbox/seed.ts';
import { maskedJson } from './redaction.ts';

/** A custom hostname of an account as a seed has it, in the state that it is in. */
export function recordedHostname(record: CustomHostname, zone: string, withValues: boolean): SeedHostname {
  const { hostname, status = '', created_at: created, verification_errors: errors = [] } = record;
  const { custom_origin_server: origin, custom_origin_sni: sni, custom_metadata: metadata } = record;
  const shown = withValues ? metadata : (maskedJson(metadata) as typeof metadata);
  return {
    hostname,
    zone,
    ...(isHostnameStatus(status) && { status }),
    ...timeField('created_at', created),
    ...(errors.length > 0 && { verification_errors: errors }),
    ...(origin !== undefined && { custom_origin_server: origin }),
    ...(sni !== undefined && { custom_origin_sni: sni }),
    ...(shown !== undefined && { custom_metadata: shown }),
    // A wildcard hostname has a certificate of its own, whose key nobody can read.
    ssl: hostname.startsWith('*.') ? null : certificateOf(record),
  };
}

function certificateOf(record: CustomHostname): SeedCertificate | null {
  const { ssl } = record;
  if (ssl === undefined) return null;
  const { status = '', method = '', certificate_authority: authority = '', wildcard, settings } = ssl;
  const messages = certificateMessages(record);
  return {
    ...(isCertificateStatus(status) && { status }),
    ...(isMethod(method) && { method }),
    ...(isCertificateAuthority(authority) && { certificate_authority: authority }),
    ...(wildcard !== undefined && { wildcard }),
    // The platform does not return it, and issues no certificate for such a name without it.
    ...(commonNameRefusal(record.hostname, wildcard === true, false) !== undefined && { branding: true }),
    ...(settings !== undefined && { settings: { ...settings } }),
    ...timeField('uploaded_on', ssl.uploaded_on),
    ...timeField('expires_on', ssl.expires_on),
    ...(messages.length > 0 && { validation_errors: messages }),
  };
}

function isMethod(text: string): text is ValidationMethod {
  return (validationMethods as readonly string[]).includes(text);
}

/** A time of an account as a field of a seed. What is none is left out, as a status is that nobody knows. */
export function timeField<Name extends string>(
  name: Name,
  time: string | number | undefined,
): Partial<Record<Name, string>> {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return {};
  return { [name]: date.toISOString() } as Record<Name, string>;
}
