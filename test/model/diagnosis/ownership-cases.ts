import { expect } from 'vitest';
import { known } from '../../../src/model/diagnosis/facts.ts';
import { type Case, pending, refresh, wait } from './case.ts';
import { day, hostname, hour, inDns, minute, noName } from './fixture.ts';

/** Cases for the rules whose ids start with D. */
export const ownership: readonly Case[] = [
  { id: 'D1', when: 'the next check is soon', given: pending(5 * minute), expected: wait },
  {
    id: 'D2',
    when: 'the next check is hours away',
    given: pending(5 * hour),
    expected: { severity: 'warn', ...refresh },
  },
  {
    id: 'D3',
    when: 'the token is in place',
    given: inDns(pending(hour), { ...noName, ownershipTxt: known(['token']) }),
    expected: { severity: 'progress', ...refresh },
  },
  {
    id: 'D4',
    when: 'the token is outdated',
    given: inDns(pending(hour), { ...noName, ownershipTxt: known(['stale']) }),
    expected: {
      severity: 'error',
      remedy: { records: [{ name: `_cf-custom-hostname.${hostname}`, type: 'TXT', value: 'token' }] },
    },
  },
  {
    id: 'D5',
    when: 'nothing is in place',
    given: inDns(pending(hour), noName),
    expected: { severity: 'error', who: 'customer', remedy: { records: [{ type: 'TXT', value: 'token' }] } },
  },
  {
    id: 'D6',
    when: 'the token is at a wrong name',
    given: inDns(pending(hour), { ...noName, misplacedOwnership: [{ name: hostname, texts: ['token'] }] }),
    expected: { severity: 'error', evidence: [`TXT ${hostname}: token`] },
  },
  {
    id: 'D6',
    when: 'the token is at a wrong name, and the DNS provider is known',
    given: inDns(pending(hour), {
      ...noName,
      misplacedOwnership: [{ name: hostname, texts: ['token'] }],
      zones: known([{ name: 'acme.com', nameServers: ['ns07.domaincontrol.com'] }]),
    }),
    expected: {
      remedy: {
        text: expect.stringContaining('At GoDaddy, the field "Name" must contain _cf-custom-hostname.shop.'),
      },
    },
  },
  {
    id: 'D7',
    when: 'the schedule ends soon',
    given: inDns(pending(6 * day), noName),
    expected: { severity: 'critical', ...refresh },
  },
];
