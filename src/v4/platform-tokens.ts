/**
 * Routes that return a credential issued by the platform, or require such a credential instead of the API token. Sources: the provider's
 * API reference ("Create Assets Upload Session", "Get a Cloudflare Tunnel token") and wrangler (assets of Workers and Pages, previews).
 */
const routes: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\/assets-upload-session$/i, 'static assets of a worker'],
  [/\/workers\/assets\/upload$/i, 'static assets of a worker'],
  [/\/upload-token$/i, 'static assets of a project'],
  [/^\/pages\/assets\//i, 'static assets of a project'],
  [/\/edge-preview$/i, 'remote previews of a worker'],
  [/^\/accounts\/[^/]+\/(?:cfd_tunnel|warp_connector)\/[^/]+\/(?:token|management)$/i, 'tunnels'],
];

/**
 * Returns the feature that a request belongs to, if the request requires a credential issued by the platform and therefore works only
 * without the guard; undefined for other requests.
 */
export function findPlatformTokenUse(path: string): string | undefined {
  const bare = path.split('?', 1)[0] ?? path;
  return routes.find(([pattern]) => pattern.test(bare))?.[1];
}
