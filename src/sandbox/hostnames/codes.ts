/**
 * The provider's error codes of zones and custom hostnames that the model's checks do not return. "Chosen" marks a code that no
 * report confirms; clients use the HTTP status there.
 */
export const hostnameCodes = {
  /** 400: the body is no JSON, or not what was expected; also of a certificate that the plan does not have. */
  notDecodable: 1400,
  /** 403: the zone may hold none at all. */
  noQuota: 1404,
  /** 403: the zone holds as many custom hostnames as it may. */
  quotaExceeded: 1405,
  /** 409. */
  duplicate: 1406,
  /** 400: the zone has opted out of metadata for wildcards. */
  wildcardMetadataDenied: 1412,
  /** 403: the plan has no custom metadata. */
  metadataDenied: 1413,
  /** 403: the zone may not set origins of hostnames. */
  originDenied: 1414,
  /** 400, chosen: the plan lets nobody choose the authority. */
  authorityDenied: 1459,
  /** 400; of the zone's own name it is chosen. */
  hostnameInvalid: 1407,
  certificateUnreadable: 1426,
  keyUnreadable: 1428,
  keyMismatch: 1429,
  /** 400: the id of a custom hostname is none. */
  idInvalid: 1435,
  /** 404. */
  notFound: 1436,
  /** 400: two filters by name. */
  filterInvalid: 1437,
  /** 400: a filter beside `id`. */
  filterBesideId: 1438,
  /** 409: the custom hostname cannot be modified now. */
  changedMeanwhile: 1439,
  /** 400: an uploaded certificate leads to no authority that everybody trusts. */
  unbundled: 1441,
  severalLeaves: 1444,
  leafMissing: 1445,
  hostnameNotCovered: 1446,
  signatureUnsupported: 1447,
  /** 404: no fallback origin is set. */
  fallbackNotFound: 1551,
  /** 429, chosen: the issuance limit. */
  issuanceLimited: 10429,
  /** 400: an invalid zone name. */
  zoneNameInvalid: 1049,
  /** 400: a zone of that name is there. */
  zoneTaken: 1061,
  /** 400, chosen: the sandbox keeps its own zone. */
  zoneNeeded: 1116,
  /** 404: a DNS record that is not there. */
  recordNotFound: 81044,
  /** 400: the same record again. */
  recordTaken: 81058,
  /** 400: a CNAME where there is an A, AAAA or CNAME record. */
  hostTaken: 81053,
  /** 400: an A or AAAA record where there is a CNAME. */
  aliasTaken: 81054,
  /** 400: a record that makes no sense. */
  recordInvalid: 9005,
} as const;
