import { type Stage, target } from '../../hostnames/stage.ts';
import { originOf } from './origins.ts';
import {
  away,
  delegate,
  here,
  owned,
  provedInAdvance,
  type Scene,
  unset,
  wildcard,
  withoutTheirRecord,
  zoneOfTheirs,
} from './scene.ts';

const ownershipAt = owned(
  (host) => `_cf-custom-hostname.${host}`,
  (token) => token,
);

const forbidden = (stage: Stage, host: string) =>
  stage.api('PUT', '/sandbox/edge-rules', { host, status: 403, body: 'Who are you?' });

/** Scenes for the findings C: the target to which public DNS points. */
export const routingScenes: readonly Scene[] = [
  { id: 'C1', create: [] },
  { id: 'C2', create: [], dns: (host) => [[host, 'TXT', 'hello']] },
  { id: 'C3', create: [], dns: here, stays: true },
  { id: 'C4', create: [], dns: (host) => [away(host), ['shop.elsewhere.com', 'A', '198.51.100.7']] },
  { id: 'C5', create: [], dns: (host, domain) => [[host, 'CNAME', `${target}.${domain}`]] },
  { id: 'C6', create: [], dns: (host) => [[host, 'CNAME', 'gone.saas.sandbox']] },
  { id: 'C7', create: [], dns: (host) => [[host, 'CNAME', host]] },
  { id: 'C8', create: [], dns: (host) => [[host, 'A', '127.0.0.1']], after: ownershipAt, stays: true },
  {
    id: 'C9',
    create: [],
    before: zoneOfTheirs('A', '198.51.100.7'),
    after: ownershipAt,
    mend: withoutTheirRecord,
  },
  { id: 'C24', create: [], dns: (host) => [[host, 'A', '127.0.0.1']] },
  { id: 'C10', create: [], dns: (host) => [[host, 'A', '198.51.100.7']] },
  {
    id: 'C11',
    host: (domain) => domain,
    create: [],
    dns: (host) => [[host, 'A', '198.18.7.10', '198.51.100.9']],
    before: (stage) => stage.api('PUT', '/sandbox/prefixes', { cidrs: ['198.18.7.0/24'] }),
  },
  {
    id: 'C12',
    create: [],
    dns: (host) => [
      [host, 'A', '127.0.0.1'],
      [host, 'AAAA', '2001:db8::7'],
    ],
    after: ownershipAt,
    mend: unset('AAAA'),
  },
  {
    id: 'C13',
    also: ['C2'],
    create: [],
    dns: (host, domain) => [
      [domain, 'A', '198.51.100.8'],
      [host, 'SOA', 'ns.old-host.net'],
      [host, 'NS', 'ns.old-host.net'],
    ],
    mend: unset('SOA', 'NS'),
  },
  { id: 'C14', create: [], dns: (host) => [...here(host), [host, 'SERVFAIL']], mend: unset('SERVFAIL') },
  {
    id: 'C15',
    create: ['--method', 'txt'],
    dns: (host) => [[host, 'A', '198.51.100.7']],
    after: provedInAdvance,
  },
  { id: 'C16', before: zoneOfTheirs('CNAME', target) },
  { id: 'C17', create: [], dns: (host, domain) => [[`${host}.${domain}`, 'CNAME', target]] },
  { id: 'C18', create: [], dns: (host) => [...here(host), [host, 'BOGUS']], mend: unset('BOGUS') },
  {
    id: 'C19',
    create: ['--origin', originOf('C19')],
    dns: here,
    before: (stage) => stage.edgectl('zone', 'record', 'set', originOf('C19'), 'A', '127.0.0.1', '--proxied'),
  },
  { id: 'C20', create: [], dns: (host) => [[host, 'A', '127.0.0.2']] },
  {
    id: 'C21',
    create: wildcard,
    dns: (host) => [...here(host), [`x.${host}`, 'A', '127.0.0.1']],
    after: delegate,
    asked: (host) => `x.${host}`,
  },
  {
    id: 'C23',
    create: [],
    before: zoneOfTheirs('CNAME', target),
    after: forbidden,
    mend: async (stage, host, domain) => {
      await withoutTheirRecord(stage, host, domain);
      await stage.api('DELETE', `/sandbox/edge-rules?host=${host}`);
    },
  },
];
