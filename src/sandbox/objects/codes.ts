/**
 * The provider's error codes of buckets and objects (its page "Error codes", and its clients). Their numbers overlap with those
 * of other resources, so they are a separate table.
 */
export const objectCodes = {
  /** 409: a bucket of this name is the account's already. */
  bucketExists: 10004,
  bucketNameInvalid: 10005,
  bucketNotFound: 10006,
  objectNotFound: 10007,
  /** 409. */
  bucketNotEmpty: 10008,
  metadataTooLarge: 10012,
  objectNameInvalid: 10020,
  /** 400: `per_page` of a list. */
  limitInvalid: 10022,
  argumentInvalid: 10029,
  /** 412. */
  preconditionFailed: 10031,
  /** 416. */
  rangeInvalid: 10039,
  storageClassInvalid: 10040,
  corsNotFound: 10059,
  /** 404, chosen: one of the settings that is not there. */
  domainNotFound: 10060,
  eventsNotFound: 11015,
  objectTooLarge: 100100,
} as const;
