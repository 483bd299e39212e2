/** Matches environment variables that contain our credentials. */
export const credentialVariable = /^(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|EMAIL|SECRET)$/;

/** Returns an environment for another program, without our credentials. */
export function withoutCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentialVariable.test(name)));
}
