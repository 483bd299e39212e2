const secretHeader = /authorization|cookie|token|secret|password|jwt|(?:^|-)key$|^x-auth-/i;
const secretParameter = /token|secret|password|signature|credential|(?:^|[-_])(?:key|sig|auth)$|apikey/i;

const redacted = '[redacted]';

/** Headers for `--debug`: credentials, cookies and the like are replaced, names and other values stay. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? redacted : value]),
  );
}

/** An address or a path with its query for `--debug`: user, password and secret parameters are replaced. */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${redacted}@`)
    .replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, mark: string, name: string) =>
      secretParameter.test(plainName(name)) ? `${mark}${name}=${redacted}` : whole,
    );
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
