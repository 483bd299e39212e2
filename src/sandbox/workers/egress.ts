import { getCACertificates } from 'node:tls';

/** No worker can be named so. */
export const egressName = 'EGRESS';

/**
 * A worker through which the others fetch. It reaches public addresses and the named origins, and no other port of this
 * machine or its network: whoever may deploy a worker could otherwise reach them. Without a `connect` handler, TCP sockets
 * are refused.
 */
const source = `export default {
  async fetch(request, env) {
    const { host } = new URL(request.url);
    const place = env.ORIGINS.includes(host) ? env['ORIGIN ' + host] : env.PUBLIC;
    try {
      return await place.fetch(request);
    } catch (error) {
      throw new Error('Cannot fetch from ' + host + ' (' + error.message + '). Other machines reach this sandbox, so that its ' +
        'workers reach only public addresses and the origins named at its start.');
    }
  },
};`;

/** That worker, for the ports of origins by name. workerd judges the address to which a name resolves, not the name. */
export function egressSettings(ports: Readonly<Record<string, number>>) {
  const origins = Object.entries(ports).map(([name, port]) => [
    `ORIGIN ${name}`,
    { external: { address: `127.0.0.1:${port}`, http: {} } },
  ]);
  return {
    name: egressName,
    modules: [{ type: 'ESModule' as const, path: '/egress.js', contents: source }],
    modulesRoot: '/',
    compatibilityDate: '2026-11-01',
    bindings: { ORIGINS: Object.keys(ports) },
    serviceBindings: {
      PUBLIC: {
        network: {
          allow: ['public'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: getCACertificates('extra') },
        },
      },
      ...Object.fromEntries(origins),
    },
    unsafeRegisterWorker: false,
  };
}
