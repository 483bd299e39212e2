import { bool, object, oneOf, optional, type Shape, text } from '../shape.ts';
import type { MissingFact } from './diagnose.ts';
import { type RecordAdvice, recordTypes } from './finding.ts';

// The library documents these types. The compiler checks that the shapes match them.

/** A DNS record to set or delete, ready to paste. */
export const recordAdvice: Shape<RecordAdvice> = object({
  name: text('Name of the record, without a trailing dot'),
  type: oneOf(recordTypes, 'Type of the record'),
  value: text('Content of the record, as in a zone file; a TXT value without quotes'),
  remove: optional(bool('Whether to delete the record')),
});

/** A required fact that is unknown. */
export const missingFact: Shape<MissingFact> = object({
  fact: text('Unknown fact'),
  reason: text('Why the fact is unknown'),
});
