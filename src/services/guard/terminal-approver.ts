import { createInterface, type Interface } from 'node:readline';
import {
  formatAffected,
  formatEffect,
  formatHeldRequest,
  formatItems,
  formatProgram,
  type HeldAnswer,
  quote,
} from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import { describeAsking } from '../../model/guard/policy.ts';
import { truncate } from '../../model/long-text.ts';
import { asProblem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { type AskSecret, askToApprove } from '../session/lock.ts';
import type { Approver, HeldQuestion, HeldRequests } from './held.ts';

export interface TerminalOptions {
  readonly world: Pick<World, 'stdin'>;
  readonly user: string;
  /** Prints an escaped line. */
  readonly print: (line: string) => void;
  /** Asks for the passphrase of a locked profile. */
  readonly askSecret: AskSecret;
}

/**
 * Asks about held requests on the terminal of a guard, one at a time. `y` approves one request, `s` also approves requests of the same kind
 * until the guard ends, and `n` refuses. Each letter is followed by the last part of the request number. Without this number, text that was
 * typed for an earlier question could answer a later question. Returns a function that stops asking.
 */
export function askOnTerminal(
  held: HeldRequests,
  { world, user, print, askSecret }: TerminalOptions,
): () => void {
  let lines: Interface | undefined;
  let asked: HeldRequest | undefined;
  /** Whether an answer is being handled. No other question is shown meanwhile, because the user may be typing a passphrase. */
  let isBusy = false;
  let isStopped = false;
  /** Typed lines that are not handled yet. */
  const typed: string[] = [];
  const isWaiting = (number: string) =>
    held.list().some((one) => one.number === number && one.state === 'waiting');
  const show = () => {
    if (isBusy || isStopped) return;
    const all = held.list();
    const waiting = all.filter(({ state }) => state === 'waiting');
    if (waiting.some(({ number }) => number === asked?.number)) return;
    if (asked !== undefined) {
      const { number } = asked;
      print(`Request ${number}: ${describeEnd(all.find((one) => one.number === number))}`);
    }
    asked = waiting[0];
    const question = asked && held.find(asked.number);
    if (asked === undefined || question === undefined) return;
    for (const line of formatQuestion(asked, question, held.waitMs)) print(line);
  };
  const take = async (line: string) => {
    if (asked === undefined) {
      const [, late] = splitAnswer(line);
      if (late !== undefined) print(`Request ${held.name}-${late} is not waiting for an answer.`);
      return;
    }
    const { number } = asked;
    const [letter = '', own] = splitAnswer(line);
    const answer = { y: 'approve', s: 'approve-same', n: 'refuse' }[letter] as HeldAnswer | undefined;
    if (answer === undefined || own !== shortNumber(number)) {
      print(`Request ${number} is not answered. ${formatChoices(number)}`);
      return;
    }
    try {
      const why = await answerAsked(number, answer);
      asked = undefined;
      if (why !== undefined) print(why);
    } catch (error) {
      print(asProblem(error).message);
      // Asks again if the request is still waiting; otherwise, the terminal shows why the request no longer waits.
      if (isWaiting(number)) asked = undefined;
    }
  };
  /** Returns why the request cannot be answered; undefined on success. */
  const answerAsked = async (number: string, answer: HeldAnswer): Promise<string | undefined> => {
    if (answer !== 'refuse' && held.blocked !== undefined) return held.blocked;
    const locked = answer === 'refuse' ? undefined : held.lockedProfile;
    const resume = locked === undefined ? undefined : held.pauseWait(number);
    try {
      const passphrase = locked === undefined ? undefined : await askAlone(locked, number);
      const isRepetition = !isWaiting(number);
      const approver: Approver = { user, by: 'terminal', ...(passphrase !== undefined && { passphrase }) };
      const why = await held.answer(number, answer, approver);
      if (why !== undefined) return why;
      const later = isRepetition && answer === 'approve' ? ': it can be repeated once within 10 minutes' : '';
      const same = answer === 'approve-same' ? ', and matching requests until the guard stops' : '';
      print(`${answer === 'refuse' ? 'Refused' : 'Approved'} request ${number}${same}${later}.`);
      return undefined;
    } finally {
      resume?.();
    }
  };
  /** Handles the typed lines, one after the other. */
  const handleTyped = async () => {
    if (isBusy) return;
    for (let line = typed.shift(); line !== undefined; line = typed.shift()) {
      isBusy = true;
      await take(line).finally(() => {
        isBusy = false;
      });
      show();
    }
  };
  const open = () => {
    lines = createInterface({ input: world.stdin, terminal: false });
    lines.on('line', (line) => {
      typed.push(line);
      handleTyped().catch((error: unknown) => print(asProblem(error).message));
    });
    lines.once('close', end);
    held.hasTerminal = true;
  };
  /** After the end of the input, nobody can answer. */
  const end = () => {
    held.hasTerminal = false;
  };
  const close = () => {
    // Removes only this listener. The reader's own listener must stay, because it stops the reader: the next input may be a passphrase.
    lines?.off('close', end);
    lines?.close();
    lines = undefined;
  };
  /** Only one reader can use the input at a time. */
  const askAlone = async (profile: string, number: string) => {
    close();
    try {
      return await askToApprove(askSecret, profile, number);
    } finally {
      if (!isStopped) open();
    }
  };
  open();
  const stop = held.onChange(show);
  return () => {
    isStopped = true;
    stop();
    close();
  };
}

/** Splits an answer such as "y4" into the letter and the number. */
function splitAnswer(typed: string): string[] {
  return /^([ysn])\s*(\d+)$/.exec(typed.trim().toLowerCase())?.slice(1) ?? [];
}

/** Returns the last part of a request number: 4 for 417-4. */
function shortNumber(number: string): string {
  return number.slice(number.lastIndexOf('-') + 1);
}

function formatChoices(number: string): string {
  const own = shortNumber(number);
  return `Type y${own} (yes), s${own} (yes, also to matching requests) or n${own} (no), then Enter.`;
}

/** Explains why a request no longer waits, although it was not answered here. */
function describeEnd(request: HeldRequest | undefined): string {
  if (request?.state === 'refused') return 'nobody answered in time, so it was refused.';
  if (request?.state === 'disconnected') return 'its program has closed the connection.';
  return 'answered elsewhere.';
}

function formatQuestion(request: HeldRequest, question: HeldQuestion, waitMs: number): string[] {
  const { number, place, lost } = request;
  const affected = formatAffected(request);
  return [
    `Request ${number} from ${formatProgram(request)} to ${place}:`,
    ...formatSent(request).map((line) => `  ${line}`),
    ...(affected === undefined ? [] : [`  Affects ${affected}.`]),
    ...(lost === undefined ? [] : [`  ${shortenNames(lost, request)}`]),
    `  The ${describeAsking(question.decided)}. The request waits up to ${waitMs / 1000} s${question.digest === undefined ? ', and cannot be approved later' : ''}.`,
    `  Matching requests: ${shortenNames(request.same, request)}, until the guard stops.`,
    `Approve ${number}? ${formatChoices(number)}`,
  ];
}

/** Maximum number of characters in a word. Messages on the terminal cut words after 1,000 characters. */
const maxWord = 900;

/**
 * Formats what a request sends, in one line if possible. If a word is too long, the query, the source and the jurisdiction are on separate
 * lines, and only the path is cut, because all other parts can change the effect.
 */
function formatSent(request: HeldRequest): string[] {
  const { method, path, query = '', source, jurisdiction, bytes } = request;
  const size = bytes === 0 ? undefined : `body of ${bytes} bytes`;
  const more = [formatItems(request), size].filter((one) => one !== undefined).join(', ');
  const extent = more === '' ? '' : ` (${more})`;
  const effect = formatEffect(request);
  if (path.length + query.length <= maxWord && (source?.length ?? 0) <= maxWord)
    return [`${effect}${formatHeldRequest(request)}${extent}`];
  return [
    `${effect}${method} ${path}${extent}`,
    ...(query === '' ? [] : formatPieces(`Query: ${query}`)),
    ...(source === undefined ? [] : formatPieces(`Copied from ${quote(source)}`)),
    ...(jurisdiction === undefined ? [] : [`Jurisdiction ${quote(jurisdiction)}`]),
  ];
}

/** Splits a long text into lines that the terminal does not cut, between parameters or folders if possible. */
function formatPieces(text: string): string[] {
  const pieces = text.match(new RegExp(`.{1,${maxWord}}(?![^&/])|.{1,${maxWord}}`, 'gsu')) ?? [];
  return pieces.map((piece, index) => (index === 0 ? piece : `  ${piece}`));
}

/** Shortens the path, the query, the source and the name of a request in a text, because other lines show them. */
function shortenNames(text: string, { path, query = '', source = '', name = '' }: HeldRequest): string {
  return [quote(source).slice(1, -1), query.slice(1), path, name]
    .filter((long) => long.length > 200)
    .reduce((short, long) => short.replaceAll(long, () => truncate(long, 200)), text);
}
