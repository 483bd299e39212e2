import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { makeCertificate, trustedRoots } from '../../../../src/sandbox/hostnames/certificates.ts';
import { type Stage, target } from '../../hostnames/stage.ts';
import { here, type Scene, type Step } from './scene.ts';

/** Returns the name of a scene's own origin in our zone. */
export const originOf = (id: string) => `o-${id.toLowerCase()}.saas.sandbox`;

const running: Server[] = [];

/** Stops the web servers of all origins. */
export async function closeOrigins(): Promise<void> {
  await Promise.all(
    running.splice(0).map((server) => new Promise((settle) => server.close(() => settle(undefined)))),
  );
}

async function readPort(server: Server): Promise<number> {
  running.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return (server.address() as AddressInfo).port;
}

const answers = (status: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { connection: 'close', ...headers }).end('an origin of the test');
  };
};

/** Starts a third party's server at an address on the sandbox's internet. */
export async function serveAt(stage: Stage, address: string): Promise<void> {
  const port = await readPort(createServer(answers(200)));
  await stage.api('PUT', '/sandbox/origins', { name: address, port });
}

/** Starts a web server for an origin's name. */
const served =
  (id: string, listener: (host: string) => RequestListener, more: object = {}): Step =>
  async (stage, host) => {
    const port = await readPort(createServer(listener(host)));
    return stage.api('PUT', '/sandbox/origins', { name: originOf(id), port, ...more });
  };

/** Starts an origin over TLS, with a certificate for the origin's own name. */
const servedOverTls =
  (
    id: string,
    tls: 'full' | 'strict',
    listener: (host: string) => RequestListener = () => answers(200),
  ): Step =>
  async (stage: Stage, host) => {
    const { settings } = stage.sandbox.platform.registry();
    const order = { hostname: originOf(id), wildcard: false, branding: false, authority: 'google' } as const;
    const { keyed } = await makeCertificate(settings, randomBytes, { ...order, since: Date.now() - 60_000 });
    const pair = { cert: keyed.certificate, key: keyed.privateKey };
    const port = await readPort(createTlsServer(pair, listener(host)));
    const authority = trustedRoots(settings);
    return stage.api('PUT', '/sandbox/origins', { name: originOf(id), port, tls, authority });
  };

const gone =
  (id: string): Step =>
  (stage) =>
    stage.api('DELETE', `/sandbox/origins?name=${originOf(id)}`);

function behind(id: string, standing: Step, more: Partial<Scene> = {}, content = '192.0.2.50'): Scene {
  const name = originOf(id);
  return {
    id,
    create: ['--origin', name],
    dns: here,
    before: async (stage, host, domain) => {
      await stage.edgectl('zone', 'record', 'set', name, 'A', content, '--proxied');
      await standing(stage, host, domain);
    },
    mend: gone(id),
    ...more,
  };
}

/** Sets a redirect in front of the edge, which the platform notices at its next check. */
function redirect(stage: Stage, rule: object): Promise<unknown> {
  return stage.api('PUT', '/sandbox/edge-rules?notice=later', { path: '/', status: 301, ...rule });
}

const faulty =
  (id: string, server: object): Step =>
  (stage) =>
    stage.api('PUT', '/sandbox/origins', { name: originOf(id), ...server });

/** Scenes for the findings G: the responses that visitors receive, and the web servers of the origins. */
export const originScenes: readonly Scene[] = [
  { id: 'G1', also: ['C1'], create: [] },
  behind(
    'G4',
    served('G4', () => answers(503)),
    { mend: served('G4', () => answers(200)) },
  ),
  { id: 'G5', create: [], dns: here, stays: true },
  behind('G7', faulty('G7', { port: 1 })),
  behind('G8', faulty('G8', { fault: 522 })),
  behind('G9', faulty('G9', { fault: 523 }), {}, '8.8.4.4'),
  behind(
    'G10',
    served('G10', () => answers(200), { tls: 'full' }),
    { mend: servedOverTls('G10', 'full') },
  ),
  behind('G11', servedOverTls('G11', 'strict'), {
    create: ['--origin', originOf('G11'), '--origin-sni', 'wrong.saas.sandbox'],
    // The command alone fixes the fault.
    mend: async () => undefined,
  }),
  behind('G12', faulty('G12', { fault: 524 })),
  behind(
    'G13',
    served('G13', (host) => answers(301, { location: `https://${host}/` })),
    { mend: servedOverTls('G13', 'full') },
  ),
  {
    id: 'G15',
    create: [],
    dns: here,
    before: async (stage, _host, domain) => {
      await stage.dns([`www.${domain}`, 'CNAME', target]);
      await stage.edgectl('hostname', 'create', `www.${domain}`);
    },
    last: async (stage, host, domain) => {
      const www = `www.${domain}`;
      for (const [from, to] of [
        [host, www],
        [www, host],
      ])
        await redirect(stage, { host: from, location: `https://${to}/` });
    },
    mend: (stage, _host, domain) => stage.api('DELETE', `/sandbox/edge-rules?host=www.${domain}`),
  },
  behind(
    'G16',
    servedOverTls('G16', 'full', (host) => answers(302, { location: `http://${host}/` })),
    {
      last: (stage, host) => redirect(stage, { host, scheme: 'http', location: 'https://{host}{path}' }),
      mend: servedOverTls('G16', 'full'),
    },
  ),
];
