import { type CustomHostname, certificateMessages } from './hostname.ts';

/** Messages of an authority that does not issue now, by what they mean (Domain control validation: troubleshooting). */
export const refusals = {
  limit: /rate.?limit/i,
  fault: /internal error with certificate authority/i,
  risk: /potential risk|will not issue|refuses to issue/i,
} as const;

/** The authority that the platform reports to have refused or failed; undefined where none has. */
export function refuserIn(record: CustomHostname): string | undefined {
  const messages = certificateMessages(record);
  const isRefused = Object.values(refusals).some((pattern) => messages.some((text) => pattern.test(text)));
  return isRefused ? record.ssl?.certificate_authority : undefined;
}
