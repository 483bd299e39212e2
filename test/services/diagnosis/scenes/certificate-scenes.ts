import type { Stage } from '../../hostnames/stage.ts';
import { serveAt } from './origins.ts';
import { decided, here, ownershipEntry, type Scene, type Step, undecided, unset } from './scene.ts';

/** Makes the customer's server answer requests for a certificate's token. */
const answered =
  (rule: object, notice = 'at-once'): Step =>
  (stage: Stage, host: string) =>
    stage.api('PUT', `/sandbox/edge-rules?notice=${notice}`, { host, path: '/.well-known/', ...rule });

function before(id: string, rule: object): Scene {
  return {
    id,
    create: [],
    dns: here,
    before: answered(rule),
    mend: (stage, host) => stage.api('DELETE', `/sandbox/edge-rules?host=${host}`),
  };
}

const google = { authority: 'google' } as const;

/** Scenes for the findings F: the certificate, its authority, and the token over HTTP. */
export const certificateScenes: readonly Scene[] = [
  { id: 'F1', body: { ssl: null }, dns: here },
  { id: 'F2', dns: here, last: (stage, host) => stage.edgectl('hostname', 'create', host) },
  decided('F3', { silent: true }, { mend: undecided }),
  decided('F16', { refusal: 'The authority has rate limited these domains', ...google }),
  decided('F17', { refusal: 'Internal error with Certificate Authority', ...google }),
  decided('F18', { refusal: 'The hostname was reported as potential risk', ...google }),
  {
    id: 'F19',
    create: [],
    dns: (host) => [...here(host), [host, 'SERVFAIL', 'CAA']],
    mend: unset('SERVFAIL'),
  },
  { id: 'F20', host: (domain) => `${'a'.repeat(60)}.${domain}`, dns: here },
  { id: 'F21', host: (domain) => `xn--bcher-kva.${domain}`, create: ['--ca', 'google'], dns: here },
  {
    id: 'F26',
    body: { ssl: { method: 'email', type: 'dv', wildcard: true } },
    dns: here,
    mend: (stage, host) => stage.edgectl('hostname', 'edit', host, '--method', 'txt'),
  },
  { id: 'F28', create: ['--ca', 'lets-encrypt'], dns: here },
  before('F31', { status: 301, location: 'https://www.elsewhere.com/' }),
  before('F32', { status: 403, body: 'Who are you?' }),
  before('F33', { status: 200, body: '<html>Welcome to our shop</html>' }),
  before('F34', { status: 200, body: 'an-old-token', headers: { age: '7200' } }),
  {
    id: 'F35',
    create: [],
    dns: here,
    after: async (stage, host, domain) => {
      await answered({ status: 403 })(stage, host, domain);
      await stage.edgectl('hostname', 'edit', host, '--ca', 'lets-encrypt');
    },
    last: answered({ scheme: 'http', status: 301, location: 'https://{host}{path}' }, 'later'),
  },
  {
    id: 'F36',
    create: [],
    dns: (host) => [
      [host, 'A', '127.0.0.1'],
      [host, 'AAAA', '2001:db8::36'],
    ],
    before: (stage) => serveAt(stage, '2001:db8::36'),
    after: async (stage, host) => stage.dns(await ownershipEntry(stage, host)),
  },
];
