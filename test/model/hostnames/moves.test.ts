import { describe, expect, it } from 'vitest';
import { certificateStatuses, hostnameStatuses } from '../../../src/model/hostnames/hostname.ts';
import { findMove, moves } from '../../../src/model/hostnames/moves.ts';

describe('the table of moves', () => {
  it.each(moves.map((move) => [move.on, move.status, move.to, move] as const))(
    'on %s from %s leads to %o',
    (on, status, to, move) => {
      const from = status === 'any' ? hostnameStatuses : status;
      const certificates = move.certificate === 'any' ? certificateStatuses : move.certificate;
      for (const one of from)
        for (const other of certificates) expect(findMove(one, other, on)?.to).toEqual(to);
    },
  );

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
  ] as const)('leaves %s / %s alone on %s', (status, certificate, on) => {
    expect(findMove(status, certificate, on)).toBeUndefined();
  });

  it('has no two rows for the same case', () => {
    const cases = moves.flatMap((move) => {
      const from = move.status === 'any' ? hostnameStatuses : move.status;
      const certificates = move.certificate === 'any' ? certificateStatuses : move.certificate;
      return from.flatMap((status) =>
        certificates.map((certificate) => `${status} ${certificate} ${move.on}`),
      );
    });
    expect(new Set(cases).size).toBe(cases.length);
  });
});
