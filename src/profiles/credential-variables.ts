/** Matches the names of environment variables that contain edgectl's credentials. */
export const credentialVariable = /^(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|EMAIL|SECRET)$/;

/** Returns an environment for another program, without edgectl's credentials. */
export function withoutCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentialVariable.test(name)));
}
