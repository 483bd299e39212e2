import { object, oneOf, optional, text } from '../shape.ts';

export const bucketFields = {
  name: text('Name of the bucket'),
  createdOn: optional(text('When the bucket was created, as the platform reports it (RFC 3339)')),
  location: optional(text('Location: weur, enam, …')),
  storageClass: optional(
    text('Default storage class: Standard, InfrequentAccess, or another class that the platform defines'),
  ),
  jurisdiction: optional(text('Jurisdiction of the bucket: eu, us, fedramp, …, or default')),
};

/** An object bucket of an account. The bucket's storage class is the default for new objects. */
export const bucket = object(bucketFields);

/** A setting of an existing bucket that differs from the requested setting. */
export const bucketDifference = object({
  field: oneOf(['location', 'storageClass', 'jurisdiction'], 'Name of the setting'),
  from: optional(text('Current value; absent if the platform reports none')),
  to: text('Requested value'),
});
