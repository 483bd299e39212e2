import { createInterface, type Interface } from 'node:readline';
import { describeSameRequests } from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import { asProblem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { type AskSecret, askToApprove } from '../session/lock.ts';
import type { Approver, HeldRequests } from './held.ts';

/** How long input is ignored after a new question replaces another, in milliseconds: such input was typed for the replaced question. */
const settlingMs = 1000;

export interface TerminalOptions {
  readonly world: Pick<World, 'stdin' | 'now'>;
  readonly user: string;
  /** Prints an escaped line. */
  readonly print: (line: string) => void;
  /** Asks for the passphrase of a locked profile. */
  readonly askSecret: AskSecret;
}

/**
 * Asks about held requests on the terminal of a guard, one at a time. `y` approves one request, `s` also approves requests of the same kind
 * until the guard ends, `n` refuses. Returns a function that stops asking.
 */
export function askOnTerminal(
  held: HeldRequests,
  { world, user, print, askSecret }: TerminalOptions,
): () => void {
  let lines: Interface | undefined;
  let asked: HeldRequest | undefined;
  let acceptedFrom = 0;
  let isStopped = false;
  const show = () => {
    const waiting = held.list().filter(({ state }) => state === 'waiting');
    if (waiting.some(({ number }) => number === asked?.number)) return;
    if (asked !== undefined) print(`${asked.number}: no longer waiting.`);
    acceptedFrom = asked === undefined ? 0 : world.now() + settlingMs;
    asked = waiting[0];
    if (asked !== undefined) for (const line of formatQuestion(asked, held)) print(line);
  };
  const take = async (typed: string) => {
    if (asked === undefined || world.now() < acceptedFrom) return;
    const answer = { y: 'approve', s: 'approve-same', n: 'refuse' }[typed.trim().toLowerCase()] as
      | 'approve'
      | 'approve-same'
      | 'refuse'
      | undefined;
    if (answer === undefined) {
      print(`Type y, s or n for ${asked.number}.`);
      return;
    }
    const { number } = asked;
    asked = undefined;
    const locked = answer === 'refuse' ? undefined : held.lockedProfile;
    const approver: Approver = {
      user,
      by: 'terminal',
      ...(locked !== undefined && { passphrase: await askAlone(locked, number) }),
    };
    const why = await held.answer(number, answer, approver);
    if (why !== undefined) print(why);
    show();
  };
  const open = () => {
    lines = createInterface({ input: world.stdin, terminal: false });
    lines.on('line', (typed) => {
      take(typed).catch((error: unknown) => print(asProblem(error).message));
    });
    // After the end of the input, nobody can answer.
    lines.once('close', () => {
      held.hasTerminal = false;
    });
    held.hasTerminal = true;
  };
  const close = () => {
    lines?.removeAllListeners();
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

function formatQuestion(request: HeldRequest, held: HeldRequests): string[] {
  const { number, client, agent, method, path, rule, policy, count, bytes, place, lost } = request;
  const program = agent === undefined ? client : `${client} (calls itself ${agent})`;
  const question = held.find(number);
  const same = question === undefined ? '' : describeSameRequests(question.facts);
  const many = count === undefined ? 'unknown number of items' : count === 1 ? undefined : `${count} items`;
  const size = bytes === 0 ? undefined : `body of ${bytes} bytes`;
  const more = [many, size].filter((one) => one !== undefined).join(', ');
  return [
    `Request ${number} of ${program} to ${place}:`,
    `  ${method} ${path}${more === '' ? '' : ` (${more})`}`,
    ...(lost === undefined ? [] : [`  ${lost}`]),
    `  Rule "${rule}" of ${policy} requires approval. The request waits up to ${held.waitMs / 1000} s.`,
    `Approve ${number}? y: yes; s: yes, and the same until the guard ends (${same}); n: no`,
  ];
}
