/** Matches the names of environment variables that contain edgectl's credentials. */
export const credentialVariable = /^(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|EMAIL|SECRET)$/;

/** Returns an environment for another program, without edgectl's credentials. */
export function withoutCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentialVariable.test(name)));
}

/**
 * Variables with which a program could bypass a guard, or that contain credentials of the platform and of S3 clients: other addresses,
 * profiles, tokens and keys. Names of the platform's variables count in any case, and with the prefix of Terraform's variables.
 */
const guardedVariables = [
  /^(?:TF_VAR_)?(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|KEY_ID|EMAIL|SECRET)(?:_FILE)?$/i,
  /^(?:TF_VAR_)?(?:AWS|S3)_(?:\w+_)?(?:ACCESS_KEY|ACCESS_KEY_ID|SECRET|SECRET_KEY|SECRET_ACCESS_KEY|SESSION_TOKEN|SECURITY_TOKEN)$/i,
  /^AWS_(?:CONFIG_FILE|PROFILE|DEFAULT_PROFILE|ENDPOINT_URL(?:_\w+)?|ROLE_ARN|SHARED_CREDENTIALS_FILE|WEB_IDENTITY_TOKEN_FILE)$/,
  /^AWS_CONTAINER_(?:AUTHORIZATION_TOKEN(?:_FILE)?|CREDENTIALS_(?:FULL|RELATIVE)_URI)$/,
  /^(?:CF_ACCOUNT_ID|CF_API_BASE_URL|CLOUDFLARE_API_ENVIRONMENT|WRANGLER_API_ENVIRONMENT)$/,
  /^(?:EDGECTL_PROFILE|EDGECTL_SANDBOX_DIR|R2_ENDPOINT)$/,
  /^MC_HOST_\w+$/,
  /^RCLONE_\w*(?:ACCESS_KEY|ACCESS_KEY_ID|SESSION_TOKEN)$/,
  /^TUNNEL_(?:TOKEN|TOKEN_FILE|CRED_FILE|CRED_CONTENTS|ORIGIN_CERT)$/,
];

/** Whether the program behind a guard must not get this variable. */
export function bypassesGuard(name: string): boolean {
  return guardedVariables.some((pattern) => pattern.test(name));
}
