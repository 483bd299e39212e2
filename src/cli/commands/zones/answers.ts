import { bool, list, number, object, oneOf, optional, text, time } from '../../../model/shape.ts';
import { value } from '../../output/answer-shape.ts';
import { undoId } from '../undo/answers.ts';

const zone = object({
  id: text('32 hexadecimal digits'),
  name: text('The domain'),
  status: optional(text('active, pending, and others of the platform')),
  paused: optional(bool('Whether the platform passes its requests on')),
});

const recordFields = {
  id: text('32 hexadecimal digits'),
  type: text('A, AAAA, CNAME, TXT, CAA, …'),
  name: text('The whole name'),
  content: text('Address, target or text'),
  proxied: optional(bool('Whether requests go through the platform')),
  ttl: optional(number('Seconds; 1 is automatic')),
};

const record = object(recordFields);

/** In the words of the platform. */
const hold = object({
  hold: bool('Whether nobody else can take the name'),
  include_subdomains: bool('Whether the names below it neither'),
  hold_after: optional(time('When a released hold comes back')),
});

export const zoneAnswers = {
  'zone list': value(list(zone, 'Zones that the credentials reach')),
  'zone record list': value(list(record, 'DNS records of the zone')),
  'zone record set': value(
    list(
      object({
        outcome: oneOf(['made', 'changed', 'there'], 'Made, changed, or there already'),
        record,
        before: optional(record),
        undo: undoId,
      }),
      'One for each content',
    ),
  ),
  'zone record delete': value(
    list(object({ ...recordFields, undo: undoId }), 'The records that were deleted'),
  ),
  'zone hold get': value(hold),
  'zone hold set': value(hold),
  'zone hold release': value(hold),
} as const;
