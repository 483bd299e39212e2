/**
 * The provider's error codes for zones and custom hostnames, in addition to the codes in the model's checks. "Chosen" marks a code that no
 * report confirms; for such a code, clients use only the HTTP status.
 */
export const hostnameCodes = {
  /**
   * 400: the body is not JSON or does not have the expected form, or the plan does not include a certificate feature.
   */
  notDecodable: 1400,
  /** 403: the zone's quota is 0. */
  noQuota: 1404,
  /** 403: the zone has reached its quota. */
  quotaExceeded: 1405,
  /** 409: the zone already has this custom hostname. */
  duplicate: 1406,
  /** 400: the zone has opted out of metadata for wildcards. */
  wildcardMetadataDenied: 1412,
  /** 403: the plan does not include custom metadata. */
  metadataDenied: 1413,
  /** 403: the zone is not allowed to set origins of hostnames. */
  originDenied: 1414,
  /** 400, chosen: the plan does not allow choosing the authority. */
  authorityDenied: 1459,
  /** 400: the hostname is invalid. For the zone's own name, this code is chosen. */
  hostnameInvalid: 1407,
  certificateUnreadable: 1426,
  keyUnreadable: 1428,
  keyMismatch: 1429,
  /** 400: malformed id of a custom hostname. */
  idInvalid: 1435,
  /** 404: no such custom hostname. */
  notFound: 1436,
  /** 400: the query contains more than one filter by name. */
  filterInvalid: 1437,
  /** 400: the query combines `id` with another filter. */
  filterBesideId: 1438,
  /** 409: the custom hostname cannot be modified now. */
  changedMeanwhile: 1439,
  /** 400: the chain of an uploaded certificate does not end at a publicly trusted authority. */
  unbundled: 1441,
  severalLeaves: 1444,
  leafMissing: 1445,
  hostnameNotCovered: 1446,
  signatureUnsupported: 1447,
  /** 404: no fallback origin is set. */
  fallbackNotFound: 1551,
  /** 429, chosen: the issuance limit is reached. */
  issuanceLimited: 10429,
  /** 400: the zone name is invalid. */
  zoneNameInvalid: 1049,
  /** 400: a zone with this name exists. */
  zoneTaken: 1061,
  /** 400, chosen: the sandbox's own zone cannot be deleted. */
  zoneNeeded: 1116,
  /** 404: no such DNS record. */
  recordNotFound: 81044,
  /** 400: an identical record exists. */
  recordTaken: 81058,
  /** 400: a CNAME record is not allowed, because the name already has an A, AAAA or CNAME record. */
  hostTaken: 81053,
  /** 400: an A or AAAA record is not allowed, because the name already has a CNAME record. */
  aliasTaken: 81054,
  /** 400: the record is invalid. */
  recordInvalid: 9005,
} as const;
