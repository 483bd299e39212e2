import { target } from '../../hostnames/stage.ts';
import {
  challengeEntry,
  decided,
  delegate,
  delegationEntry,
  here,
  owned,
  ownershipEntry,
  proved,
  type Scene,
  type Step,
  setLater,
  undecided,
  unset,
  wildcard,
} from './scene.ts';

/** The findings of a hostname that is validated before the changeover, and does not point here yet. */
const routing = ['C1', 'C2'];

const caa =
  (...values: readonly string[]) =>
  (host: string, domain: string) => [...here(host), [domain, 'CAA', ...values] as const];

/** Points the hostname here, but the platform notices this only at its next check. */
const pointedLater: Step = (stage, host) => setLater(stage, [host, 'CNAME', target]);

/** Scenes for the findings D: validation of the hostname itself. */
export const ownershipScenes: readonly Scene[] = [
  { id: 'D1', create: [], last: pointedLater },
  {
    id: 'D3',
    also: ['C1'],
    create: [],
    last: async (stage, host) => setLater(stage, await ownershipEntry(stage, host)),
  },
  { id: 'D4', also: routing, create: [], dns: (host) => [[`_cf-custom-hostname.${host}`, 'TXT', 'stale']] },
  { id: 'D5', also: routing, create: [] },
  {
    id: 'D6',
    also: routing,
    create: [],
    after: owned(
      (host, domain) => `_cf-custom-hostname.${host}.${domain}`,
      (token) => token,
    ),
  },
  {
    id: 'D8',
    also: routing,
    create: [],
    after: owned(
      (host) => `_cf-custom-hostname.${host}`,
      (token) => `'${token}'`,
    ),
  },
];

/** Scenes for the findings E: CAA records. */
export const caaScenes: readonly Scene[] = [
  {
    id: 'E0',
    create: [],
    dns: caa('0 issue ";"'),
    last: (stage, host) => setLater(stage, [host, 'SERVFAIL', 'CAA']),
    mend: async (stage, host, domain) => {
      await unset('SERVFAIL')(stage, host, domain);
      await unset('CAA')(stage, domain, domain);
    },
  },
  { id: 'E1', create: [], dns: here, stays: true },
  { id: 'E2', create: [], dns: caa('0 issue "pki.goog"', '0 issue "letsencrypt.org"'), stays: true },
  { id: 'E3', create: ['--ca', 'google'], dns: caa('0 issue "letsencrypt.org"') },
  { id: 'E4', create: wildcard, dns: caa('0 issue "pki.goog"', '0 issuewild ";"'), after: delegate },
  { id: 'E5', create: [], dns: caa('0 issue ";"') },
  { id: 'E6', create: [], dns: caa('128 tbs "x"') },
  { id: 'E7', create: [], dns: caa('0 issue "pki.goog; validationmethods=dns-01"') },
  {
    id: 'E8',
    create: [],
    dns: (host) => [[host, 'CNAME', 't-e8.saas.sandbox']],
    before: async (stage) => {
      await stage.edgectl('zone', 'record', 'set', 't-e8', 'A', '192.0.2.1', '--proxied');
      await stage.edgectl('zone', 'record', 'set', 't-e8', 'CAA', '0 issue "other-ca.net"');
    },
  },
  {
    id: 'E9',
    create: [],
    dns: (host) => [...here(host), [host, 'SERVFAIL', 'CAA']],
    mend: unset('SERVFAIL'),
  },
  {
    id: 'E10',
    create: [],
    dns: caa('0 issue ";"'),
    last: (stage, _host, domain) => setLater(stage, [domain, 'CAA', '0 issue "pki.goog"']),
  },
  { id: 'E11', create: [], dns: caa('0 issue "letsencrypt.org"') },
  decided('E12', { refusal: 'multiple perspective CAA check error' }, { mend: undecided }),
];

/** Scenes for the findings F4 to F14, F29 and F30: control proved to the authority by TXT records or by delegation. */
export const textScenes: readonly Scene[] = [
  { id: 'F4', create: [], last: pointedLater },
  { id: 'F5', also: ['C1'], create: [] },
  { id: 'F6', body: { ssl: { method: 'http', wildcard: true } }, dns: here },
  {
    id: 'F7',
    create: wildcard,
    dns: here,
    last: async (stage, host) => setLater(stage, await challengeEntry(stage, host)),
  },
  {
    id: 'F8',
    create: wildcard,
    dns: here,
    after: async (stage, host) => {
      const [name, type, first = ''] = await challengeEntry(stage, host);
      return stage.dns([name, type, first]);
    },
  },
  {
    id: 'F9',
    create: wildcard,
    dns: (host) => [...here(host), [`_acme-challenge.${host}`, 'TXT', 'foreign']],
  },
  { id: 'F10', create: wildcard, dns: here },
  {
    id: 'F11',
    create: wildcard,
    dns: here,
    last: async (stage, host) => setLater(stage, await delegationEntry(stage, host)),
  },
  {
    id: 'F12',
    create: wildcard,
    dns: (host) => [...here(host), [`_acme-challenge.${host}`, 'CNAME', `${host}.other.dcv.cloudflare.com`]],
  },
  {
    id: 'F13',
    also: ['C1'],
    create: ['--method', 'txt'],
    after: async (stage, host) => {
      const hidden = {
        name: `_acme-challenge.${host}`,
        type: 'TXT',
        contents: ['of the universal certificate'],
      };
      await stage.api('PUT', '/sandbox/dns?hidden=true', hidden);
      const [name, type, content] = await delegationEntry(stage, host);
      await stage.api('PUT', '/sandbox/dns?hidden=true', { name, type, contents: [content] });
    },
  },
  {
    id: 'F29',
    create: wildcard,
    dns: here,
    after: proved(
      (host) => `_acme-challenge.${host}`,
      (token) => `“${token}”`,
    ),
  },
  {
    id: 'F30',
    create: wildcard,
    dns: here,
    after: proved(
      (host, domain) => `_acme-challenge.${host}.${domain}`,
      (token) => token,
    ),
  },
];
