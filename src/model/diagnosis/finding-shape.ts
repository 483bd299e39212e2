import { bool, object, oneOf, optional, type Shape, text } from '../shape.ts';
import type { MissingFact } from './diagnose.ts';
import { type RecordAdvice, recordTypes } from './finding.ts';

// The library documents these types. The compiler checks that the shapes match them.

/** A DNS record to set or delete, ready to paste. */
export const recordAdvice: Shape<RecordAdvice> = object({
  name: text('Without a trailing dot'),
  type: oneOf(recordTypes, 'Type of the record'),
  value: text('In the form of a zone file; a TXT without quotes'),
  remove: optional(bool('Whether to delete it')),
});

/** A required fact that is unknown. */
export const missingFact: Shape<MissingFact> = object({
  fact: text('Unknown fact'),
  reason: text('Why'),
});
