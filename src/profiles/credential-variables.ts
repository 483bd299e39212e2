/** Names of variables whose values are credentials of ours. */
export const credentialVariable = /^(?:EDGECTL|CLOUDFLARE|CF|R2)_\w*(?:TOKEN|KEY|EMAIL|SECRET)$/;

/** An environment for another program: without our credentials. */
export function withoutCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentialVariable.test(name)));
}
