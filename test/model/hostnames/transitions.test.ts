import { describe, expect, it } from 'vitest';
import { certificateStatuses, hostnameStatuses } from '../../../src/model/hostnames/hostname.ts';
import { findTransition, transitions } from '../../../src/model/hostnames/transitions.ts';

describe('the table of transitions', () => {
  it.each(
    transitions.map((transition) => [transition.on, transition.status, transition.to, transition] as const),
  )('on %s changes the state %s to %o', (on, status, to, transition) => {
    const from = status === 'any' ? hostnameStatuses : status;
    const certificates = transition.certificate === 'any' ? certificateStatuses : transition.certificate;
    for (const one of from)
      for (const other of certificates) expect(findTransition(one, other, on)?.to).toEqual(to);
  });

  it.each([
    ['moved', 'active', 'proved'],
    ['moved', 'active', 'held'],
    ['active', 'active', 'restarted'],
    ['pending', 'active', 'kept-too-long'],
    ['blocked', 'pending_issuance', 'caa-refused'],
    ['active', 'pending_validation', 'caa-refused'],
    ['active', 'active', 'unproved'],
    ['active', 'active', 'undecided'],
    ['active', 'expired', 'renewal-due'],
    ['active', 'pending_validation', 'issued'],
  ] as const)('the state %s / %s does not change on %s', (status, certificate, on) => {
    expect(findTransition(status, certificate, on)).toBeUndefined();
  });

  it('has no two rows for the same event and state', () => {
    const cases = transitions.flatMap((transition) => {
      const from = transition.status === 'any' ? hostnameStatuses : transition.status;
      const certificates = transition.certificate === 'any' ? certificateStatuses : transition.certificate;
      return from.flatMap((status) =>
        certificates.map((certificate) => `${status} ${certificate} ${transition.on}`),
      );
    });
    expect(new Set(cases).size).toBe(cases.length);
  });
});
