/** Addresses and credentials of a running sandbox, which are also the content of the ready file. */
export interface Ready {
  readonly apiBaseUrl: string;
  readonly accountId: string;
  readonly zoneId: string;
  /** The sandbox's own token, which has unrestricted access. All paths below `/sandbox/` require this token. */
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
  /** `http://localhost:<port>`. Deployed workers respond at subdomains with their names. */
  readonly edgeUrl: string;
  /** The address of the edge over TLS, where custom hostnames present their certificates. */
  readonly edgeTlsUrl: string;
  /** `127.0.0.1:<port>`: the DNS server for the sandbox's zones and for customers, over UDP and TCP. */
  readonly dns: string;
  /** `http://127.0.0.1:<port>`: the S3 API of the sandbox's buckets (path style, region `auto`). */
  readonly s3Endpoint: string;
  /** S3 API credentials, derived from `apiToken` as the provider does: the token's id, and the SHA-256 of the token. */
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  /**
   * `http://127.0.0.1:<port>` of the proxy, if requested. The proxy forwards HTTPS requests for the platform's own host
   * to this API.
   */
  readonly proxyUrl?: string;
  /** File with the certificate of the proxy's certificate authority, in PEM. */
  readonly caFile?: string;
  /** File with the proxy's authority and the authorities of this machine, for programs that trust only one file. */
  readonly caBundleFile?: string;
  /** Folder of the sandbox's data, for `--sandbox=<folder>` or EDGECTL_SANDBOX_DIR. */
  readonly folder: string;
  readonly pid: number;
}

/**
 * Returns the environment variables with which edgectl, wrangler, the provider's SDKs and similar programs find a sandbox. Variables that
 * are undefined must be removed, because they would point the programs elsewhere.
 */
export function createSandboxEnvironment(ready: Ready): Readonly<Record<string, string | undefined>> {
  const { apiBaseUrl, accountId, zoneId, apiToken, s3Endpoint, folder } = ready;
  return {
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_ZONE_ID: zoneId,
    EDGECTL_SANDBOX_DIR: folder,
    EDGECTL_API_EMAIL: undefined,
    EDGECTL_API_KEY: undefined,
    EDGECTL_PROFILE: undefined,
    CLOUDFLARE_API_BASE_URL: apiBaseUrl,
    CLOUDFLARE_BASE_URL: apiBaseUrl,
    CLOUDFLARE_API_TOKEN: apiToken,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_ZONE_ID: zoneId,
    CLOUDFLARE_API_KEY: undefined,
    CLOUDFLARE_API_EMAIL: undefined,
    CLOUDFLARE_EMAIL: undefined,
    CF_API_TOKEN: undefined,
    CF_API_KEY: undefined,
    CF_API_EMAIL: undefined,
    CF_ACCOUNT_ID: undefined,
    AWS_ENDPOINT_URL: s3Endpoint,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    AWS_ACCESS_KEY_ID: ready.s3AccessKeyId,
    AWS_SECRET_ACCESS_KEY: ready.s3SecretAccessKey,
    AWS_REGION: 'auto',
    AWS_DEFAULT_REGION: 'auto',
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
    R2_ENDPOINT: undefined,
    R2_ACCESS_KEY_ID: undefined,
    R2_SECRET_ACCESS_KEY: undefined,
  };
}
