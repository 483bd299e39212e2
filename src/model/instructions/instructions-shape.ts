import { recordTypes } from '../diagnosis/finding.ts';
import { bool, count, oneOf, text } from '../shape.ts';

/** The fields of a DNS record that a customer must enter. */
export const instructedRecordFields = {
  type: oneOf([...recordTypes, 'ALIAS', 'ANAME'], 'Type of the record'),
  name: text("Name relative to the zone, as the provider's panel expects it"),
  fullName: text('Full name of the record'),
  value: text("Value, as the provider's panel expects it"),
  ttl: count('TTL in seconds'),
  purpose: text('Purpose of the record'),
  state: oneOf(['missing', 'there', 'unknown', 'to-remove'], 'State of the record in DNS'),
  optional: bool('Whether the hostname becomes active without the record'),
};
