/** Matches the names of environment variables that contain edgectl's credentials. */
export const credentialVariable = /^(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|EMAIL|SECRET)$/;

/** Returns an environment for another program, without edgectl's credentials. */
export function withoutCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentialVariable.test(name)));
}

/**
 * Patterns for names of variables that contain credentials of the platform or of S3 clients. Both patterns of a pair must match: one for
 * the owner, and one for the credential. Users choose their own names for variables (`CLOUDFLARE_TOKEN_PROD`, `PROD_CF_TOKEN2`,
 * `TF_VAR_cloudflare_token`), so the patterns ignore order, case and other words. The patterns for S3 clients are narrower, because names
 * of other variables often contain these words too: `S3_KEY` is the name of an object, and `AWS_SECRET_NAME` the name of a secret.
 */
const credentialNames: readonly (readonly [owner: RegExp, credential: RegExp])[] = [
  [/(?:^|_)(?:EDGECTL|CLOUDFLARE|CF|R2|WRANGLER)\d*(?:_|$)/i, /TOKEN|KEY|EMAIL|SECRET|CREDENTIAL|BEARER/i],
  [
    /(?:^|_)(?:AWS|S3|MINIO|LITESTREAM|RCLONE)\d*(?:_|$)/i,
    /ACCESS_?KEY|SECRET_?KEY|SECRET\d*(?:_FILE)?$|SESSION_TOKEN|SECURITY_TOKEN|ROOT_PASSWORD/i,
  ],
];

/** Patterns of other variables with which a program could bypass a guard: addresses, profiles, and sources of credentials. */
const guardedVariables = [
  /^AWS_(?:CONFIG_FILE|PROFILE|DEFAULT_PROFILE|ENDPOINT_URL(?:_\w+)?|ROLE_ARN|SHARED_CREDENTIALS_FILE|WEB_IDENTITY_TOKEN_FILE)$/,
  /^AWS_CONTAINER_(?:AUTHORIZATION_TOKEN(?:_FILE)?|CREDENTIALS_(?:FULL|RELATIVE)_URI)$/,
  /^(?:CF_ACCOUNT_ID|CF_API_BASE_URL|CLOUDFLARE_API_ENVIRONMENT|WRANGLER_API_ENVIRONMENT)$/,
  /^(?:EDGECTL_PROFILE|EDGECTL_SANDBOX_DIR|R2_ENDPOINT)$/,
  /^MC_HOST_\w+$/,
  /^TUNNEL_(?:TOKEN|TOKEN_FILE|CRED_FILE|CRED_CONTENTS|ORIGIN_CERT)$/,
];

/** Returns whether a variable must be withheld from a program that uses a guard. */
export function bypassesGuard(name: string): boolean {
  const isCredential = credentialNames.some(
    ([owner, credential]) => owner.test(name) && credential.test(name),
  );
  return isCredential || guardedVariables.some((pattern) => pattern.test(name));
}
