import type { Facts } from '../../../src/model/diagnosis/facts.ts';
import { ago, hostname, minute, pendingCertificate, target, withRecord } from './fixture.ts';

/** A row of the decision table: facts to which the rule applies, and the expected finding. */
export interface Case {
  readonly id: string;
  readonly when: string;
  readonly given: Facts;
  readonly expected: object;
}

export const refresh = { remedy: { command: { kind: 'refresh', hostname } }, fix: { kind: 'refresh' } };
export const asksCustomer = {
  severity: 'error',
  who: 'customer',
  remedy: { records: [{ name: hostname, type: 'CNAME', value: target }] },
};
export const wait = { severity: 'progress', who: 'nobody' };
export const held =
  'The hostname is associated with a held zone (acme.com). Please contact the owner of this domain.';
export const long = `${'a'.repeat(60)}.acme.com`;

export function status(text: string): Facts {
  return withRecord({ status: text });
}

export function certificate(text: string): Facts {
  return withRecord({}, { status: text });
}

/** Returns the facts of a hostname that has been pending for `age` milliseconds. */
export function pending(age: number): Facts {
  return withRecord({ status: 'pending', created_at: ago(age) });
}

/** Returns the facts of an active hostname whose certificate is not validated yet. */
export function validating(ssl: Parameters<typeof pendingCertificate>[0], age = 10 * minute): Facts {
  return withRecord({ created_at: ago(age), ssl: pendingCertificate(ssl) });
}

export const texts = [
  { txt_name: `_acme-challenge.${hostname}`, txt_value: 'one' },
  { txt_name: `_acme-challenge.${hostname}`, txt_value: 'two' },
];
export const byText = { method: 'txt', wildcard: true, validation_records: texts };
export const delegation = `${hostname}.uuid.dcv.platform.net`;

export function says(message: string): Facts {
  return withRecord({ ssl: pendingCertificate({ validation_errors: [{ message }] }) });
}

export const caaRefused = withRecord({
  status: 'caa_error',
  ssl: pendingCertificate({
    status: 'pending_issuance',
    validation_errors: [{ message: `caa_error: ${hostname}` }],
  }),
});
export const failedCaa = {
  caa: {
    name: hostname,
    asked: [{ owner: hostname, outcome: 'failed' as const, detail: 'SERVFAIL from 192.0.2.53' }],
  },
};
