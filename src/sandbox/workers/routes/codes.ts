/**
 * The provider's error codes for workers, from its own clients and public reports. The table is separate, because the numbers overlap with
 * the codes of other resources. "Chosen" marks a code that no report confirms.
 */
export const workerCodes = {
  /** 404: the worker does not exist, or does not contain the requested item. */
  workerNotFound: 10007,
  /**
   * 404: a path below `services` contains the name of a worker that does not exist. wrangler 2, 3 and 4 up to 4.4x accept only the codes of
   * `services` for a worker or an environment that does not exist yet (`suppressNotFoundError`); newer versions accept both.
   */
  serviceNotFound: 10090,
  environmentNotFound: 10092,
  /** 400, chosen: the name of the worker is invalid. */
  workerNameInvalid: 10016,
  /** 400: the upload cannot run, for any reason. */
  uploadInvalid: 10021,
  /** 413: the upload is too large. */
  uploadTooLarge: 10027,
  namespaceNotFound: 10041,
  bindingNameTaken: 10053,
  secretNotFound: 10056,
  bucketNotFound: 10085,
  /** 400: the settings or secrets cannot be changed, because the newest version is not deployed. */
  settingsNotDeployed: 10214,
  secretNotDeployed: 10215,
  /** 400: a rollback would change the values of secrets, and the request lacks `?force=true`. */
  secretsChanged: 10220,
  versionNotFound: 100146,
  /** 400, chosen: no workers are running. */
  tailImpossible: 10057,
  /** 400, chosen: the worker already has the maximum number of tails. */
  tooManyTails: 10058,
  /** 404, chosen: the worker has no tail with this id. */
  tailNotFound: 10059,
  /** 404: no route has this id. The authors of @distilled.cloud/cloudflare received this code and the next two codes from the platform. */
  routeNotFound: 10009,
  /** 404: the worker of a new or changed route does not exist. */
  routeWorkerNotFound: 10019,
  /** 400: the pattern of a route is invalid. */
  routePatternInvalid: 10022,
  /** 409: the zone already has a route with this pattern. */
  routeTaken: 10020,
  /** 409: other DNS records already exist at the hostname. */
  domainTaken: 100117,
  /** 404, chosen: no domain of a worker has this id. */
  domainNotFound: 100114,
  /** 400, chosen: a schedule is not in cron syntax. */
  cronInvalid: 10100,
} as const;
