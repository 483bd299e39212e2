import { isObject } from '../json-object.ts';
import { jsonLength } from '../kv/kv.ts';
import { badRequest, commonNameRefusal, hostnameRefusal, originRefusal, type Refusal } from './fault.ts';
import {
  type AuthorityChoice,
  type HostnameSettings,
  hostnameLimits,
  isCertificateAuthority,
  type ValidationMethod,
  validationMethods,
} from './hostname.ts';
import { settingsRefusal } from './settings.ts';

/** A requested certificate. An uploaded certificate includes its chain and key in PEM. */
export interface CertificateOrder {
  readonly method: ValidationMethod;
  readonly authority: AuthorityChoice;
  readonly wildcard: boolean;
  /** Whether the provider's generic name becomes the Common Name. */
  readonly branding: boolean;
  readonly bundleMethod: string;
  readonly settings: HostnameSettings;
  readonly customCertificate?: string;
  readonly customKey?: string;
}

/** Fields outside the certificate that both creations and changes can set. `null` removes the origin. */
export interface HostnameAttributes {
  readonly origin?: string | null;
  readonly originSni?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface HostnameCreation extends HostnameAttributes {
  readonly hostname: string;
  readonly certificate?: CertificateOrder;
}

/**
 * The body of a PATCH. A certificate field that is absent keeps its value. A setting that is absent is reset, because settings are replaced
 * as a whole.
 */
export interface HostnameChange extends HostnameAttributes {
  readonly certificate?: Partial<CertificateOrder>;
}

export type ParsedRequest<T> = { readonly ok: T } | { readonly refusal: Refusal };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses the body of a creation. `brand` determines the name of the branding field, `<brand>_branding`, which can be in `ssl` or next to
 * it.
 */
export function readCreation(body: unknown, brand: string): ParsedRequest<HostnameCreation> {
  if (!isObject(body) || typeof body['hostname'] !== 'string') return { refusal: notReadable };
  const hostname = body['hostname'].toLowerCase();
  const certificate = readCertificate(body, brand);
  const attributes = readAttributes(body);
  if ('refusal' in certificate) return certificate;
  if ('refusal' in attributes) return attributes;
  const order = certificate.ok === undefined ? undefined : { ...defaultOrder, ...certificate.ok };
  const refusal = hostnameRefusal(hostname) ?? orderRefusal(hostname, order);
  if (refusal !== undefined) return { refusal };
  return { ok: { ...attributes.ok, hostname, ...(order !== undefined && { certificate: order }) } };
}

/** Parses the body of a PATCH. `current` is the current record, for checks that need both. */
export function readChange(
  body: unknown,
  brand: string,
  current: { readonly hostname: string; readonly certificate?: CertificateOrder },
): ParsedRequest<HostnameChange> {
  if (!isObject(body)) return { refusal: notReadable };
  const certificate = readCertificate(body, brand);
  const attributes = readAttributes(body);
  if ('refusal' in certificate) return certificate;
  if ('refusal' in attributes) return attributes;
  if (certificate.ok === undefined) return attributes;
  const order = { ...(current.certificate ?? defaultOrder), ...certificate.ok };
  const refusal = orderRefusal(current.hostname, order);
  if (refusal !== undefined) return { refusal };
  return { ok: { ...attributes.ok, certificate: certificate.ok } };
}

const notReadable = badRequest(1400, 'The JSON body of the request could not be decoded.');

const defaultOrder: CertificateOrder = {
  method: 'http',
  authority: 'default',
  wildcard: false,
  branding: false,
  bundleMethod: 'ubiquitous',
  settings: {},
};

function orderRefusal(hostname: string, order: CertificateOrder | undefined): Refusal | undefined {
  if (order === undefined || order.customCertificate !== undefined) return undefined;
  if (hostname.startsWith('*.')) {
    return badRequest(
      1448,
      'A wildcard custom hostname needs your own certificate; use ssl.wildcard instead.',
    );
  }
  return commonNameRefusal(hostname, order.wildcard, order.branding);
}

function readCertificate(body: Fields, brand: string): ParsedRequest<Partial<CertificateOrder> | undefined> {
  const ssl = body['ssl'];
  if (ssl === undefined || ssl === null) return { ok: undefined };
  if (!isObject(ssl)) return { refusal: sslInvalid };
  const refusal = validationRefusal(ssl) ?? sslRefusal(ssl) ?? settingsRefusal(ssl['settings']);
  if (refusal !== undefined) return { refusal };
  return { ok: parseOrder(ssl, readBranding(ssl, brand) ?? readBranding(body, brand)) };
}

const sslInvalid = badRequest(1434, 'The SSL attribute is invalid.');

/** Returns the refusal of a missing or unsupported method or type. Both must be specified unless the certificate is uploaded. */
function validationRefusal(ssl: Fields): Refusal | undefined {
  const { method, type } = ssl;
  if (method === undefined && type === undefined && typeof ssl['custom_certificate'] === 'string')
    return undefined;
  if (method === undefined || type === undefined) {
    return badRequest(1440, 'Both the validation type and the validation method are required.');
  }
  if (!(validationMethods as readonly unknown[]).includes(method)) {
    return badRequest(1432, 'The validation method is not supported: use http, email or txt.');
  }
  return type === 'dv' ? undefined : badRequest(1433, 'The validation type is not supported: use dv.');
}

function sslRefusal(ssl: Fields): Refusal | undefined {
  const authority = ssl['certificate_authority'];
  if (authority !== undefined && authority !== '') {
    if (typeof authority !== 'string' || !isCertificateAuthority(authority)) return sslInvalid;
  }
  if (ssl['wildcard'] !== undefined && typeof ssl['wildcard'] !== 'boolean') return sslInvalid;
  if (ssl['custom_certificate'] === '') return badRequest(1427, 'The uploaded certificate is empty.');
  if (typeof ssl['custom_certificate'] === 'string' && typeof ssl['custom_key'] !== 'string') {
    return badRequest(1428, 'The uploaded private key cannot be parsed.');
  }
  const bundle = ssl['bundle_method'];
  if (bundle === undefined || ['ubiquitous', 'optimal', 'force'].includes(String(bundle))) return undefined;
  return badRequest(1449, 'bundle_method must be ubiquitous, optimal or force.');
}

function readBranding(fields: Fields, brand: string): boolean | undefined {
  const value = fields[`${brand}_branding`] ?? fields['provider_branding'];
  return typeof value === 'boolean' ? value : undefined;
}

function parseOrder(ssl: Fields, branding: boolean | undefined): Partial<CertificateOrder> {
  const authority = ssl['certificate_authority'];
  const { method, wildcard, settings } = ssl;
  return {
    settings: isObject(settings) ? (settings as HostnameSettings) : {},
    ...(isMethod(method) && { method }),
    ...(authority === '' && { authority: 'default' as const }),
    ...(typeof authority === 'string' && isCertificateAuthority(authority) && { authority }),
    ...(typeof wildcard === 'boolean' && { wildcard }),
    ...(branding !== undefined && { branding }),
    ...(typeof ssl['bundle_method'] === 'string' && { bundleMethod: ssl['bundle_method'] }),
    ...(typeof ssl['custom_certificate'] === 'string' && { customCertificate: ssl['custom_certificate'] }),
    ...(typeof ssl['custom_key'] === 'string' && { customKey: ssl['custom_key'] }),
  };
}

function isMethod(value: unknown): value is ValidationMethod {
  return (validationMethods as readonly unknown[]).includes(value);
}

function readAttributes(body: Fields): ParsedRequest<HostnameAttributes> {
  const { custom_origin_server: origin, custom_origin_sni: sni, custom_metadata: metadata } = body;
  const refusal = parseOrigin(origin) ?? metadataRefusal(metadata);
  if (refusal !== undefined) return { refusal };
  return {
    ok: {
      ...(typeof origin === 'string' && { origin: origin === '' ? null : origin.toLowerCase() }),
      ...(origin === null && { origin }),
      ...(typeof sni === 'string' && { originSni: sni }),
      ...(sni === null && { originSni: sni }),
      ...(isObject(metadata) && { metadata }),
    },
  };
}

function parseOrigin(origin: unknown): Refusal | undefined {
  if (origin === undefined || origin === null || origin === '') return undefined;
  return typeof origin === 'string' ? originRefusal(origin) : notReadable;
}

function metadataRefusal(metadata: unknown): Refusal | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (isObject(metadata) && jsonLength(metadata) <= hostnameLimits.metadataBytes) return undefined;
  return badRequest(1401, 'The custom metadata cannot be encoded: use a JSON object of at most 4 KB.');
}
