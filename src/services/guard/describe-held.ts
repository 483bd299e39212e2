import { isUtf8 } from 'node:buffer';
import type { Noun } from '../../model/guard/effect.ts';
import { findRoute } from '../../v4/routes.ts';
import { closeBody, readStart } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import type { HeldDetail } from './approvals.ts';
import type { HeldRequests } from './held.ts';

/** Maximum length of displayed text, in bytes. */
const shownBytes = 16 * 1024;

/** Nouns whose content is, or can contain, a credential. */
const secretNouns: readonly (Noun | undefined)[] = ['access-key', 'secret', 'token', 'worker'];

/**
 * Describes a held request for the person who decides: what the request sends, and the current state of the resource if a GET returns that
 * state.
 */
export async function describeHeld(
  held: HeldRequests,
  { send }: Pick<Session, 'send'>,
  number: string,
): Promise<HeldDetail | undefined> {
  const question = held.find(number);
  const request = held.list().find((one) => one.number === number);
  if (question === undefined || request === undefined) return undefined;
  const { facts, start } = question;
  if (secretNouns.includes(facts.noun)) return { request, sent: undefined, present: undefined };
  return {
    request,
    sent: start.length === 0 ? undefined : showBytes(start),
    present: await readPresent(send, facts.path),
  };
}

async function readPresent(send: Session['send'], path: string): Promise<string | undefined> {
  if (findRoute({ method: 'GET', path }) === undefined) return undefined;
  try {
    const answer = await send({ method: 'GET', path, headers: {}, repeatable: true });
    if (answer.status === 404) return '';
    if (answer.status !== 200) {
      await closeBody(answer);
      return undefined;
    }
    return showBytes(await readStart(answer.body, shownBytes));
  } catch {
    return undefined;
  }
}

/** Decodes bytes as text; returns undefined if they are not text. */
function showBytes(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, shownBytes);
  // The cut may split a character, so up to 3 bytes are dropped.
  const cut = [0, 1, 2, 3].map((less) => start.subarray(0, start.length - less)).find((one) => isUtf8(one));
  return cut === undefined ? undefined : Buffer.from(cut).toString('utf8');
}
