import { domainToASCII } from 'node:url';
import { plainName } from '../../model/dns/dns.ts';
import {
  commonNameRefusal,
  hostnameInAddress,
  hostnameRefusal,
  type Objection,
  originRefusal,
  type Refusal,
  validationObjection,
} from '../../model/hostnames/fault.ts';
import {
  type AuthorityChoice,
  type CustomHostname,
  type HostnameSettings,
  hasCustomCertificate,
  hostnameLimits,
  type ValidationMethod,
} from '../../model/hostnames/hostname.ts';
import { settingsRefusal } from '../../model/hostnames/settings.ts';
import { formatJsonLength, jsonLength } from '../../model/kv/kv.ts';
import { type Advice, Problem, replaceAdvice } from '../../model/problem.ts';
import { authorityOnWire, brandingField } from '../../v4/wire.ts';

/** Attributes that can be set when a hostname is created and when it is changed. */
export interface HostnameInput {
  readonly method?: ValidationMethod | undefined;
  /** The certificate authority; if omitted, the platform selects one. Setting an authority requires an Enterprise plan. */
  readonly authority?: AuthorityChoice | undefined;
  /** Whether the certificate uses the provider's generic name as its Common Name. */
  readonly branding?: boolean | undefined;
  readonly wildcard?: boolean | undefined;
  /** The minimum TLS version, `1.0` to `1.3`. */
  readonly minimumTls?: string | undefined;
  /** All TLS settings, which replace the existing settings. */
  readonly settings?: HostnameSettings | undefined;
  /** The custom origin. In a change, an empty string removes the custom origin. */
  readonly origin?: string | undefined;
  readonly originSni?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface NewHostname extends HostnameInput {
  readonly hostname: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns a hostname in wire form: in lower case, without a trailing dot, and with internationalized names in punycode. */
export function wireHostname(text: string): string {
  const plain = plainName(text.trim());
  return /[^\x00-\x7f]/.test(plain) ? domainToASCII(plain) || plain : plain;
}

/**
 * Returns the reason why a string cannot be a custom hostname; undefined if it can. If the string is a URL, the reason contains the
 * hostname in the URL.
 */
export function typedRefusal(text: string): Refusal | undefined {
  const refusal = hostnameRefusal(text);
  const name = hostnameInAddress(text);
  if (refusal === undefined || name === undefined) return refusal;
  return { ...refusal, message: `This is a URL, not a hostname; its hostname is ${name}.` };
}

/**
 * Returns the reason why the platform would refuse this creation, or why the hostname could never become active; undefined if there is
 * none. Sends nothing.
 */
export function creationRefusal(wanted: NewHostname): Objection | undefined {
  const { hostname, method, wildcard = false, branding = false } = wanted;
  return (
    typedRefusal(hostname) ??
    commonNameRefusal(hostname, wildcard, branding) ??
    validationObjection(method, wildcard) ??
    inputRefusal(wanted)
  );
}

function inputRefusal({ origin, metadata, minimumTls, settings }: HostnameInput): Refusal | undefined {
  return (
    (origin === undefined || origin === '' ? undefined : originRefusal(origin)) ??
    settingsRefusal(settingsAsked(settings, minimumTls)) ??
    (metadata === undefined ? undefined : metadataRefusal(metadata))
  );
}

function metadataRefusal(metadata: Json): Refusal | undefined {
  const bytes = jsonLength(metadata);
  if (bytes <= hostnameLimits.metadataBytes) return undefined;
  const message = `Custom metadata can be at most 4,096 bytes long as JSON; this metadata has ${formatJsonLength(bytes)}.`;
  return { status: 400, code: 1401, message };
}

/** Throws if the platform would refuse this creation, or if the hostname could never become active. Sends nothing. */
export function checkCreation(wanted: NewHostname): void {
  throwRefusal(creationRefusal(wanted));
}

/** Throws if the platform would refuse this change, or if the hostname could never be validated. Sends nothing. */
export function checkChange(record: CustomHostname, wanted: HostnameInput): void {
  throwRefusal(changeRefusal(record, wanted));
}

/**
 * Returns the reason why the platform would refuse this change, or why the hostname could never be validated; undefined if there is none.
 * Sends nothing.
 */
export function changeRefusal(record: CustomHostname, wanted: HostnameInput): Objection | undefined {
  return changedValidation(record, wanted) ?? inputRefusal(wanted);
}

/** Returns the reason why neither a new nor an existing hostname can have these attributes; undefined if there is none. */
export function wantedRefusal({ hostname, ...wanted }: NewHostname): Objection | undefined {
  const { method, wildcard = false } = wanted;
  return typedRefusal(hostname) ?? validationObjection(method, wildcard) ?? inputRefusal(wanted);
}

function changedValidation({ ssl }: CustomHostname, wanted: HostnameInput): Objection | undefined {
  const { method, wildcard } = wanted;
  if (method === undefined && wildcard === undefined) return undefined;
  return validationObjection(method ?? ssl?.method, wildcard ?? ssl?.wildcard === true);
}

function throwRefusal(refusal: Objection | undefined): void {
  if (refusal === undefined) return;
  const { code: platformCode, message } = refusal;
  throw new Problem('invalid-input', message, {
    ...(platformCode !== undefined && { platformCode }),
    ...refusalAdvice(platformCode),
  });
}

/** Returns the advice for an error code of the custom hostnames API; empty if there is none. */
export function refusalAdvice(platformCode: number | undefined): Advice {
  switch (platformCode) {
    case 1404:
    case 1405:
      return { remedy: { kind: 'raise-quota' } };
    case 1407:
    case 1409:
    case 1410:
    case 1411:
      return { hint: "Specify a customer's hostname in DNS form, such as shop.acme.com." };
    case 1412:
      return { remedy: { kind: 'leave-wildcard-metadata' } };
    case 1413:
      return { remedy: { kind: 'leave-metadata' } };
    case 1414:
      return { remedy: { kind: 'leave-origin' } };
    case 1421:
      return { remedy: { kind: 'make-origin-record' } };
    case 1448:
      return { remedy: { kind: 'add-wildcard' } };
    case 1459:
      return { remedy: { kind: 'leave-authority' } };
    case 1469:
      return { remedy: { kind: 'add-branding' } };
    default:
      return {};
  }
}

/** Returns the problem with its advice replaced by `advice`, unless `advice` is empty. */
export function withAdvice(problem: Problem, advice: Advice): Problem {
  return replaceAdvice(problem, advice.hint === undefined && advice.remedy === undefined ? problem : advice);
}

/** Returns the request body that creates a hostname. */
export function creationBody(wanted: NewHostname, brand: string): Json {
  const { method = wanted.wildcard === true ? 'txt' : 'http', minimumTls } = wanted;
  const settings = settingsAsked(wanted.settings, minimumTls);
  return {
    hostname: wanted.hostname,
    ssl: { method, type: 'dv', ...orderFields(wanted, brand), ...(settings && { settings }) },
    ...attributes(wanted),
  };
}

/** Returns the TLS settings for a request body; undefined if no setting is requested. */
function settingsAsked(
  settings: HostnameSettings | undefined,
  minimumTls: string | undefined,
): HostnameSettings | undefined {
  const asked = { ...settings, ...(minimumTls !== undefined && { min_tls_version: minimumTls }) };
  return Object.keys(asked).length === 0 ? undefined : asked;
}

function orderFields({ authority, wildcard, branding }: HostnameInput, brand: string): Json {
  return {
    ...(authority !== undefined && { certificate_authority: authorityOnWire(authority) }),
    ...(wildcard !== undefined && { wildcard }),
    ...(branding !== undefined && { [brandingField(brand)]: branding }),
  };
}

function attributes({ origin, originSni, metadata }: HostnameInput): Json {
  return {
    ...(origin !== undefined && { custom_origin_server: origin === '' ? null : origin }),
    ...(originSni !== undefined && { custom_origin_sni: originSni === '' ? null : originSni }),
    ...(metadata !== undefined && { custom_metadata: metadata }),
  };
}

/**
 * Returns the request body for a change. A PATCH with `ssl` would reset the method, the type, all settings, wildcard and the bundle method,
 * so the body contains their current values unless they change. If only the origin or the metadata changes, the body omits `ssl`.
 */
export function changeBody(record: CustomHostname, wanted: HostnameInput, brand: string): Json {
  const { method, authority, branding, wildcard, minimumTls, settings } = wanted;
  const certificate = [method, authority, branding, wildcard, minimumTls, settings].some(
    (value) => value !== undefined,
  );
  return { ...(certificate && { ssl: certificateFields(record, wanted, brand) }), ...attributes(wanted) };
}

/**
 * Returns the request body that restarts validation: `ssl` with its current values. For a hostname without a certificate or with an
 * uploaded certificate, the body contains only the current origin, if any, because a validation method would order another certificate.
 */
export function refreshBody(record: CustomHostname, brand: string): Json {
  if (record.ssl === undefined || hasCustomCertificate(record)) {
    const { custom_origin_server } = record;
    return custom_origin_server === undefined ? {} : { custom_origin_server };
  }
  return { ssl: certificateFields(record, {}, brand) };
}

function certificateFields(record: CustomHostname, wanted: HostnameInput, brand: string): Json {
  const current = record.ssl ?? {};
  const { method = current.method ?? 'http', wildcard = current.wildcard, minimumTls } = wanted;
  const settings = settingsAsked(wanted.settings ?? current.settings, minimumTls);
  return {
    method,
    type: current.type ?? 'dv',
    ...(current.bundle_method !== undefined && { bundle_method: current.bundle_method }),
    ...(settings && { settings }),
    ...orderFields({ ...wanted, wildcard }, brand),
  };
}
