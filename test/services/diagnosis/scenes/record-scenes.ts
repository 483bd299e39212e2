import { target } from '../../hostnames/stage.ts';
import { originOf } from './origins.ts';
import { away, decided, delegate, here, type Scene, type Step, undecided, wildcard } from './scene.ts';

function madeOrigin(id: string): Step {
  return (stage) => stage.edgectl('zone', 'record', 'set', originOf(id), 'A', '192.0.2.50', '--proxied');
}

/** Scenes for the findings A and B: the record itself, and requirements of the zone. */
export const recordScenes: readonly Scene[] = [
  { id: 'A0', dns: here },
  {
    id: 'A4',
    create: [],
    dns: here,
    after: async (stage, host) => {
      await stage.dns(away(host));
      await stage.dns([host, 'CNAME', target]);
    },
  },
  { id: 'A5', create: [], dns: here, after: (stage, host) => stage.dns(away(host)) },
  {
    id: 'A8',
    create: [],
    dns: here,
    before: async (stage, _host, domain) => {
      await stage.api('POST', '/zones', { name: domain });
      await stage.edgectl('zone', 'hold', 'set', '--zone', domain, '--include-subdomains');
    },
  },
  decided('A9', { flagged: true }, { mend: undecided }),
  {
    id: 'A10',
    create: [],
    dns: here,
    before: madeOrigin('A10'),
    last: (stage, host) => stage.edgectl('hostname', 'edit', host, '--origin', originOf('A10')),
  },
  {
    id: 'B5',
    create: ['--origin', originOf('B5')],
    dns: here,
    before: madeOrigin('B5'),
    after: (stage) => stage.edgectl('zone', 'record', 'delete', originOf('B5'), 'A', '--yes'),
  },
  {
    id: 'G3',
    create: wildcard,
    dns: (host) => [...here(host), ...here(`www.${host}`)],
    after: async (stage, host, domain) => {
      await delegate(stage, host, domain);
      await stage.api('POST', '/zones', { name: `www.${host}` });
    },
    asked: (host) => `www.${host}`,
  },
];
