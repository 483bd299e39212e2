/**
 * The provider's error codes, as public reports and its own clients show them. If no report shows the code, it is the nearest
 * of its group, marked "chosen"; clients use the HTTP status there.
 */
export const codes = {
  /** 401 on verify. */
  tokenInvalid: 1000,
  requestHeadersInvalid: 6003,
  /** In the chain beneath 6003. */
  emailHeaderInvalid: 6102,
  keyHeaderInvalid: 6103,
  authorizationHeaderInvalid: 6111,
  noRoute: 7000,
  notRouted: 7003,
  emailOrKeyUnknown: 9103,
  credentialsMissing: 9106,
  /** 403: a wrong token, or somebody else's resource. */
  unauthorized: 9109,
  authenticationError: 10000,
  internalError: 10001,
  keyNotFound: 10009,
  namespaceIdInvalid: 10011,
  /** 400: a body or parameter that cannot be read. */
  requestInvalid: 10012,
  namespaceNotFound: 10013,
  titleTaken: 10014,
  /** 400, chosen: one of the namespace faults. */
  namespaceUnsupported: 10018,
  titleRequired: 10019,
  /** 413, chosen: one of the limits. */
  bodyTooLong: 10022,
  /** 414, chosen: one of the limits. */
  keyTooLong: 10024,
  keysRequired: 10029,
  /** 400 or 413, chosen: one of the limits. */
  limitExceeded: 10030,
  /** 400, chosen: beside 10034. */
  expirationInvalid: 10033,
  ttlInvalid: 10034,
  methodNotAllowed: 10405,
} as const;
