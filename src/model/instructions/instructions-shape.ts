import { recordTypes } from '../diagnosis/finding.ts';
import { bool, count, oneOf, text } from '../shape.ts';

/** The fields of a DNS record that a customer must enter. */
export const instructedRecordFields = {
  type: oneOf([...recordTypes, 'ALIAS', 'ANAME'], 'Type of the record'),
  name: text("Relative to the zone, as the provider's panel expects it"),
  fullName: text('The full name'),
  value: text("The value as the provider's panel expects it"),
  ttl: count('Seconds'),
  purpose: text('Purpose of the record'),
  state: oneOf(['missing', 'there', 'unknown', 'to-remove'], 'State of the record in DNS'),
  optional: bool('Whether the hostname becomes active without the record'),
};
