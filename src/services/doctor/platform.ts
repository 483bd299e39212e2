import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { relativeTime } from '../../text/time.ts';
import { callResult } from '../../v4/client.ts';
import type { Answer, Send } from '../../v4/send.ts';
import { type VerifiedToken, verifyToken } from '../../v4/verify-token.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from '../session/session.ts';
import { failedCheck } from './failed.ts';

/** The results of the checks that need the platform: the connection, the clock and the credentials. */
export interface PlatformAnswer {
  readonly checks: readonly DoctorCheck[];
  /** Path of the token in the API, in segments, if the platform accepted a token. */
  readonly token?: readonly string[];
  /** Whether the platform responded and accepted the credentials. */
  readonly isOpen: boolean;
}

/** Minimum difference between the clocks for a warning or a failed check, in seconds. The platform reports whole seconds. */
const clockLimits = { warning: 30, wrong: 300 };
/** Remaining lifetime of a token below which a warning is shown, in seconds. */
const expiryWarningSeconds = 14 * 86_400;

interface PlatformReply {
  readonly asked: number;
  readonly took: number;
  readonly headers: Answer['headers'];
}

/**
 * Checks with the platform whether the credentials are valid. The response also proves the connection, and contains the time on the
 * platform's clock.
 */
export async function askPlatform(session: Session, isToken: boolean): Promise<PlatformAnswer> {
  const heard: PlatformReply[] = [];
  const send: Send = async (call) => {
    const asked = session.world.now();
    // Does not retry, so that the user knows immediately if the platform does not respond.
    const answer = await session.send({ ...call, repeatable: false });
    heard.push({ asked, took: session.world.now() - asked, headers: answer.headers });
    return answer;
  };
  try {
    const { check: accepted, token } = await signIn(session, send, isToken);
    return {
      checks: [...connectionChecks(session, heard[0]), accepted],
      isOpen: true,
      ...(token && { token }),
    };
  } catch (error) {
    if (heard.length === 0) return { checks: [failedCheck('platform', error)], isOpen: false };
    return { checks: [...connectionChecks(session, heard[0]), failedCheck('sign-in', error)], isOpen: false };
  }
}

/** Returns the checks of the connection and of the clock, according to the first response. */
function connectionChecks({ where }: Session, heard: PlatformReply | undefined): DoctorCheck[] {
  const { baseUrl } = where;
  if (heard === undefined || baseUrl === undefined) {
    const folder = where.kind === 'remote' ? '' : ` in ${where.folder}`;
    return [check.ok('platform', `The embedded platform${folder}, in this process`, { baseUrl: null })];
  }
  const { took, headers, asked } = heard;
  const reach = check.ok('platform', `${baseUrl} responds in ${took} ms`, { baseUrl, milliseconds: took });
  const serverTime = Date.parse(headers['date'] ?? '');
  return Number.isNaN(serverTime) ? [reach] : [reach, clockCheck(asked + took / 2, serverTime)];
}

/** Compares the local time with the platform's time, both in milliseconds. The platform truncates its time to whole seconds. */
export function clockCheck(ours: number, theirs: number): DoctorCheck {
  const ahead = Math.round((ours - theirs - 500) / 1000);
  const off = Math.abs(ahead);
  const facts = { aheadSeconds: ahead };
  if (off < clockLimits.warning)
    return check.ok('clock', `Within ${off + 1} s of the platform's clock`, facts);
  const message = `${off} s ${ahead > 0 ? 'ahead of' : 'behind'} the platform's clock`;
  const hint = 'Expiry times depend on this clock: set the clock, for example with NTP.';
  return check[off < clockLimits.wrong ? 'warning' : 'wrong']('clock', message, { hint }, facts);
}

async function signIn(session: Session, send: Send, isToken: boolean) {
  if (!isToken) {
    await callResult(send, reading(['user']), () => undefined);
    return { check: check.ok('sign-in', 'The platform accepts the email address and the key', {}) };
  }
  const accountId = async () => session.choice.accountId ?? session.accountId().catch(() => undefined);
  const { owner, token } = await verifyToken(send, accountId);
  return { check: tokenCheck(token, session.world.now()), token: [...owner, 'tokens', token.id] };
}

function tokenCheck({ status, expires_on: end }: VerifiedToken, now: number): DoctorCheck {
  const facts = { tokenStatus: status, ...(end !== undefined && { expires: end }) };
  const advice = { remedy: { kind: 'new-token' } } as const;
  if (status !== 'active') return check.wrong('sign-in', `The token is ${status}`, advice, facts);
  const left = end === undefined ? Number.POSITIVE_INFINITY : (Date.parse(end) - now) / 1000;
  if (Number.isNaN(left) || left === Number.POSITIVE_INFINITY)
    return check.ok('sign-in', 'The platform accepts the token', facts);
  const message = `The platform accepts the token; it expires ${relativeTime(left)}`;
  return left > expiryWarningSeconds
    ? check.ok('sign-in', message, facts)
    : check.warning('sign-in', message, advice, facts);
}
