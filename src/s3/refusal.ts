/** The provider's S3 API errors, with status and message. */
const errors = {
  AccessForbidden: [403, 'Forbidden'],
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  BadDigest: [400, 'The checksum you specified did not match what we received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket you tried to create already exists, and you own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed object size.'],
  ExpiredToken: [400, 'The provided token has expired.'],
  ExpiredRequest: [403, 'Request has expired'],
  IncompleteBody: [400, 'The request body terminated unexpectedly'],
  /** This error is not in the provider's list, because the provider's storage cannot run out of space. */
  InsufficientStorage: [507, 'The data of the sandbox cannot be used.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket name is not valid.'],
  InvalidDigest: [400, 'The checksum or Content-MD5 you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRegionName: [400, 'The region name is not valid.'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidStorageClass: [400, 'The storage class specified is not valid.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise not valid.'],
  InvalidURI: [400, 'The path of the request cannot be read.'],
  KeyTooLongError: [400, 'The specified key is too long.'],
  MalformedXML: [
    400,
    'The XML you provided was not well formed or did not validate against our published schema.',
  ],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist.'],
  NotImplemented: [501, 'Not implemented.'],
  OperationAborted: [409, 'A conflicting conditional operation is in progress. Please try again.'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold.'],
  RequestTimeTooSkewed: [403, "The difference between the request time and the server's time is too large."],
  ServiceUnavailable: [503, 'Please reduce your request rate.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your secret access key and signing method.',
  ],
  SlowDown: [503, 'Please reduce your request rate.'],
  TooManyRequests: [429, 'Too many requests.'],
  Unauthorized: [401, 'Unauthorized'],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export type S3Code = keyof typeof errors;

/** Thrown to refuse an S3 API request. The refusal is sent as a response, and is not a failure of edgectl. */
export class S3Refusal extends Error {
  readonly code: S3Code;
  readonly status: number;

  /** Creates a refusal. `message` replaces the code's default message. */
  constructor(code: S3Code, message: string = errors[code][1]) {
    super(message);
    this.name = 'S3Refusal';
    this.code = code;
    this.status = errors[code][0];
  }
}
