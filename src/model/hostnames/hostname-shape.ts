import { anything, bool, list, map, object, optional, text, texts } from '../shape.ts';

const platformTime = (about: string) => optional(text(`${about}, RFC 3339, as the platform reports it`));

/** A token that a customer publishes to prove control. The fields of a token depend on the method. */
export const validationRecord = object({
  status: optional(text('Status of the token: pending, active, …')),
  txt_name: optional(text('Name of the TXT record')),
  txt_value: optional(text('Content of the TXT record')),
  http_url: optional(text('URL of the file')),
  http_body: optional(text('Content of the file')),
  cname: optional(text('Name of the CNAME')),
  cname_target: optional(text('Target of the CNAME')),
  emails: optional(texts('Recipients of the validation email')),
});

/** TLS settings of one hostname. */
export const hostnameSettings = object({
  http2: optional(text('on or off')),
  tls_1_3: optional(text('on or off')),
  min_tls_version: optional(text('1.0 to 1.3')),
  early_hints: optional(text('on or off')),
  ciphers: optional(texts('Names of ciphers')),
});

/** The certificate of a custom hostname. Statuses and authority can be any string, so that new values do not cause failures. */
export const hostnameCertificate = object({
  id: optional(text('Id of the certificate')),
  status: optional(text('active, pending_validation, or another status that the platform defines')),
  type: optional(text('Type of the certificate: dv')),
  method: optional(text('Validation method: http, txt or email')),
  certificate_authority: optional(text('Certificate authority: google, lets_encrypt, ssl_com or digicert')),
  wildcard: optional(bool('Whether the certificate covers *.hostname')),
  bundle_method: optional(text('Bundle method: ubiquitous, optimal or force')),
  settings: optional(hostnameSettings),
  validation_records: optional(
    list(validationRecord, 'Tokens with which the customer proves control of the hostname'),
  ),
  validation_errors: optional(
    list(object({ message: text('Message in one sentence') }), 'Reasons why validation failed'),
  ),
  dcv_delegation_records: optional(
    list(validationRecord, 'CNAME with which the customer delegates validation to the platform'),
  ),
  custom_certificate: optional(text('The uploaded certificate')),
  custom_csr_id: optional(text('Id of a certificate signing request')),
  hosts: optional(texts('Names in the certificate')),
  issuer: optional(text('Issuer of the certificate')),
  serial_number: optional(text('Serial number of the certificate')),
  signature: optional(text('Signature algorithm')),
  uploaded_on: platformTime('Time of issue'),
  expires_on: platformTime('Time of expiry'),
});

/**
 * A custom hostname with the platform's field names (specification, Custom hostname), as sent by the platform, used in the program and
 * printed with `--json`. A field that the platform adds is passed on only after it is declared here.
 */
export const customHostnameFields = {
  id: text('Id of the custom hostname'),
  hostname: text('The hostname'),
  status: optional(
    text('active, pending, moved, blocked, caa_error, or another status that the platform defines'),
  ),
  verification_errors: optional(texts('Reasons why verification failed')),
  ownership_verification: optional(
    object({
      type: optional(text('Type of the record: txt')),
      name: optional(text('Name of the record')),
      value: optional(text('Content of the record')),
    }),
  ),
  ownership_verification_http: optional(
    object({
      http_url: optional(text('URL of the file')),
      http_body: optional(text('Content of the file')),
    }),
  ),
  custom_origin_server: optional(text('Custom origin')),
  custom_origin_sni: optional(text('SNI for TLS to the custom origin')),
  custom_metadata: optional(map(anything('Value of the field'), 'Metadata by name')),
  created_at: platformTime('Time of creation'),
  ssl: optional(hostnameCertificate),
};

export const customHostname = object(customHostnameFields);
