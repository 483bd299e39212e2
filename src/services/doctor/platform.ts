import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { relativeTime } from '../../text/time.ts';
import { callResult } from '../../v4/client.ts';
import type { Answer, Send } from '../../v4/send.ts';
import { type VerifiedToken, verifyToken } from '../../v4/verify-token.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from '../session/session.ts';
import { failedCheck } from './failed.ts';

/** The platform's answer about the credentials, with the platform's time. */
export interface PlatformAnswer {
  readonly checks: readonly DoctorCheck[];
  /** The path of an accepted token, in segments, for reading the token. */
  readonly token?: readonly string[];
  /** Whether the platform answered and accepted the credentials. */
  readonly isOpen: boolean;
}

/** Maximum difference between the clocks before a check fails, in seconds; the platform reports whole seconds. */
const clockLimits = { warning: 30, wrong: 300 };
/** How long before a token's expiry the warning starts, in seconds. */
const expiryWarningSeconds = 14 * 86_400;

interface PlatformReply {
  readonly asked: number;
  readonly took: number;
  readonly headers: Answer['headers'];
}

/**
 * Queries the platform, with one request, whether the credentials are valid. The answer also proves the connection, and shows the
 * platform's clock.
 */
export async function askPlatform(session: Session, isToken: boolean): Promise<PlatformAnswer> {
  const heard: PlatformReply[] = [];
  const send: Send = async (call) => {
    const asked = session.world.now();
    // The request is not retried, because a user whose platform does not answer should know immediately.
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

/** Checks the connection to the platform, and compares the clocks. */
function connectionChecks({ where }: Session, heard: PlatformReply | undefined): DoctorCheck[] {
  const { baseUrl } = where;
  if (heard === undefined || baseUrl === undefined) {
    const folder = where.kind === 'remote' ? '' : ` in ${where.folder}`;
    return [check.ok('platform', `The embedded platform${folder}, in this process`, { baseUrl: null })];
  }
  const { took, headers, asked } = heard;
  const reach = check.ok('platform', `${baseUrl} answers in ${took} ms`, { baseUrl, milliseconds: took });
  const serverTime = Date.parse(headers['date'] ?? '');
  return Number.isNaN(serverTime) ? [reach] : [reach, clockCheck(asked + took / 2, serverTime)];
}

/** Compares the local time with the platform's time, which is truncated to whole seconds. */
export function clockCheck(ours: number, theirs: number): DoctorCheck {
  const ahead = Math.round((ours - theirs - 500) / 1000);
  const off = Math.abs(ahead);
  const facts = { aheadSeconds: ahead };
  if (off < clockLimits.warning) return check.ok('clock', `Within ${off + 1} s of the platform's`, facts);
  const message = `${off} s ${ahead > 0 ? 'ahead of' : 'behind'} the platform's`;
  const hint = 'Expiry times depend on this clock: set the clock, for example with NTP.';
  return check[off < clockLimits.wrong ? 'warning' : 'wrong']('clock', message, { hint }, facts);
}

async function signIn(session: Session, send: Send, isToken: boolean) {
  if (!isToken) {
    await callResult(send, reading(['user']), () => undefined);
    return { check: check.ok('sign-in', 'The platform accepts the e-mail address and the key', {}) };
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
