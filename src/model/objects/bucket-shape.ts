import { object, optional, text } from '../shape.ts';

export const bucketFields = {
  name: text('Name of the bucket'),
  createdOn: optional(text('RFC 3339, as the platform reports it')),
  location: optional(text('Where it was asked to lie: weur, enam, …')),
  storageClass: optional(text('Standard, InfrequentAccess, and others of the platform')),
  jurisdiction: optional(text('As the platform reports it')),
};

/** An object bucket of an account. Its storage class is that of objects stored without one. */
export const bucket = object(bucketFields);
