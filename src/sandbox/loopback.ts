/** The headers that tell for whom and from where a request comes. */
interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request to a loopback server is not from this machine's own programs, or undefined. A page of a web site can
 * reach a loopback port under a name of its own (DNS rebinding), or send to it across sites; both are told by headers
 * that a page cannot forge.
 */
export function strangerOf(headers: RequestHeaders): string | undefined {
  if (headers.host === undefined || !loopbackHost.test(headers.host)) {
    return 'The sandbox answers only to loopback host names (127.0.0.1, localhost).';
  }
  const { origin } = headers;
  const foreign = origin !== undefined && !loopbackHost.test(origin.replace(/^https?:\/\//i, ''));
  if (foreign || headers['sec-fetch-site'] === 'cross-site') {
    return "The sandbox answers no other web site's pages.";
  }
  return undefined;
}
