/**
 * The provider's error codes for buckets and objects (sources: its page "Error codes", and its clients). The table is separate, because the
 * numbers overlap with the codes of other resources.
 */
export const objectCodes = {
  /** 409: the account already has a bucket with this name. */
  bucketExists: 10004,
  bucketNameInvalid: 10005,
  bucketNotFound: 10006,
  objectNotFound: 10007,
  /** 409: the bucket contains an object or an unfinished upload. */
  bucketNotEmpty: 10008,
  metadataTooLarge: 10012,
  objectNameInvalid: 10020,
  /** 400: the `per_page` parameter of a list is invalid. */
  limitInvalid: 10022,
  argumentInvalid: 10029,
  /** 412: a condition of the request is not met. */
  preconditionFailed: 10031,
  /** 416: the range is outside the object. */
  rangeInvalid: 10039,
  storageClassInvalid: 10040,
  corsNotFound: 10059,
  /** 404: the bucket does not have this domain. Chosen from the errors for missing settings. */
  domainNotFound: 10060,
  eventsNotFound: 11015,
  objectTooLarge: 100100,
} as const;
