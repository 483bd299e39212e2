/**
 * The provider's error codes, from public reports and its own clients. If no report shows a code, the most similar code of its group is
 * used, marked "chosen"; for such a code, clients use only the HTTP status.
 */
export const codes = {
  /** 401 on verify. */
  tokenInvalid: 1000,
  requestHeadersInvalid: 6003,
  /** Part of the error chain of 6003. */
  emailHeaderInvalid: 6102,
  keyHeaderInvalid: 6103,
  authorizationHeaderInvalid: 6111,
  noRoute: 7000,
  notRouted: 7003,
  emailOrKeyUnknown: 9103,
  credentialsMissing: 9106,
  /** 403: a wrong token, or a resource of another account. */
  unauthorized: 9109,
  authenticationError: 10000,
  internalError: 10001,
  keyNotFound: 10009,
  namespaceIdInvalid: 10011,
  /** 400: an invalid body or parameter. */
  requestInvalid: 10012,
  namespaceNotFound: 10013,
  titleTaken: 10014,
  /** 400, chosen from the namespace errors. */
  namespaceUnsupported: 10018,
  titleRequired: 10019,
  /** 413, chosen from the limit errors. */
  bodyTooLong: 10022,
  /** 414, chosen from the limit errors. */
  keyTooLong: 10024,
  keysRequired: 10029,
  /** 400 or 413, chosen from the limit errors. */
  limitExceeded: 10030,
  /** 400, chosen as the number before 10034. */
  expirationInvalid: 10033,
  ttlInvalid: 10034,
  methodNotAllowed: 10405,
} as const;
