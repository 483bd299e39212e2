/**
 * The provider's error codes for buckets and objects (its page "Error codes", and its clients). The table is separate, because the numbers
 * overlap with the codes of other resources.
 */
export const objectCodes = {
  /** 409: the account already has a bucket with this name. */
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
  /** 404, chosen: from the errors for missing settings. */
  domainNotFound: 10060,
  eventsNotFound: 11015,
  objectTooLarge: 100100,
} as const;
