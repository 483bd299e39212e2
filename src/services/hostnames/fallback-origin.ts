import { originRefusal } from '../../model/hostnames/fault.ts';
import { parseFallbackOrigin } from '../../model/hostnames/parse.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { FallbackOrigin } from '../../model/zones/zone.ts';
import { callResult } from '../../v4/client.ts';
import type { Call } from '../../v4/send.ts';
import { checkAnswer, unconfirmedProblem } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { refusalAdvice, wireHostname, withAdvice } from './body.ts';
import { changing, reading } from './calls.ts';
import { forgetVerdicts } from './verdicts.ts';

function path(zoneId: string): string[] {
  return ['zones', zoneId, 'custom_hostnames', 'fallback_origin'];
}

/** Returns the zone's fallback origin; undefined if none is set. */
export async function readFallbackOrigin(
  session: Session,
  zoneId: string,
): Promise<FallbackOrigin | undefined> {
  try {
    return (await callResult(session.send, reading(path(zoneId)), parseFallbackOrigin)).result;
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Returns an origin in wire form. Refuses an invalid origin. */
export function originName(origin: string): string {
  const name = wireHostname(origin);
  const refusal = originRefusal(name);
  if (refusal === undefined) return name;
  throw new Problem('invalid-input', refusal.message, {
    platformCode: refusal.code,
    hint: 'Specify a name in your zone that has a proxied A, AAAA or CNAME record.',
  });
}

/** Sets the fallback origin to a name in the zone that has a proxied record. Refuses an invalid origin. */
export async function setFallbackOrigin(
  session: Session,
  zoneId: string,
  origin: string,
): Promise<FallbackOrigin> {
  const name = originName(origin);
  const call = changing('PUT', path(zoneId), { origin: name });
  const result = await sent(session, call);
  await forgetVerdicts(session, zoneId);
  const what = `Setting the fallback origin ${name}`;
  if (result === undefined) throw unconfirmedProblem(what, 'no origin');
  checkAnswer(what, { origin: name }, { origin: wireHostname(result.origin) });
  return result;
}

/** Sends the request, and returns the fallback origin from the response. If the platform refuses, the problem states what to do first. */
async function sent(session: Session, call: Call): Promise<FallbackOrigin | undefined> {
  try {
    return (await callResult(session.send, call, parseFallbackOrigin)).result;
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw withAdvice(error, refusalAdvice(error.platformCode));
  }
}

/** Removes the fallback origin. Every custom hostname without a custom origin then returns error 1016. */
export async function deleteFallbackOrigin(session: Session, zoneId: string): Promise<void> {
  await callResult(session.send, changing('DELETE', path(zoneId)), () => undefined);
  await forgetVerdicts(session, zoneId);
}
