import {
  formatHeldRequest,
  formatHiddenNames,
  formatItems,
  formatRules,
  formatState,
  type HeldAnswer,
} from '../../../model/guard/held.ts';
import type { HeldRequest } from '../../../model/guard/held-shape.ts';
import { Problem } from '../../../model/problem.ts';
import { answerHeld, listHeld, readHeld } from '../../../services/guard/approvals.ts';
import { userName } from '../../../services/guard/audit-log.ts';
import { askToApprove } from '../../../services/session/lock.ts';
import { openAsk } from '../../ask.ts';
import { type Context, command } from '../../parsing/command.ts';
import { askSecretOnTerminal } from '../workers/secret-input.ts';
import type * as declared from './declarations.ts';

export const heldCommand = command<typeof declared.guardHeld>({
  async run({ world, output }) {
    const held = await listHeld(world, 'command');
    if (output.json) return void (await output.answerJson(held));
    for (const request of held) {
      const { lost } = request;
      await output.line(`${formatHeld(request)}${lost === undefined ? '' : `  ${lost}`}`);
    }
    if (held.length === 0) output.note('No held requests.');
    return undefined;
  },
});

export const approveCommand = command<typeof declared.guardApprove>({
  async run(context, { args, flags }) {
    const { request } = await findHeld(context.world, args.NUMBER);
    const line = formatHeld(request);
    if (context.world.stdin.isTTY !== true)
      throw new Problem(
        'not-confirmed',
        `Not approved: ${line}. Only a person at a terminal can approve the request.`,
      );
    if (request.blocked !== undefined) throw new Problem('not-permitted', request.blocked);
    const also = flags.same ? ' and matching requests until the guard stops' : '';
    const question = [
      line,
      ...(request.lost === undefined ? [] : [request.lost]),
      ...(flags.same ? [`Matching requests: ${request.same}.`] : []),
      `Approve request ${request.number}${also}?`,
    ];
    // `--yes` does not answer this question, because a program must not approve a request on the user's behalf.
    await openAsk(context.world, false).confirm(question, line);
    const passphrase =
      request.locked === undefined
        ? undefined
        : await askToApprove(askSecretOnTerminal(context.world), request.locked, request.number);
    await answer(context, args.NUMBER, flags.same ? 'approve-same' : 'approve', passphrase);
    const approved = `Approved request ${request.number}`;
    await context.output.line(
      flags.same
        ? `${approved}, and matching requests until the guard stops.`
        : request.state === 'waiting'
          ? `${approved}.`
          : `${approved}: it can be repeated once within 10 minutes.`,
    );
  },
});

export const refuseCommand = command<typeof declared.guardRefuse>({
  async run(context, { args }) {
    await answer(context, args.NUMBER, 'refuse');
    await context.output.line(`Refused request ${args.NUMBER}.`);
  },
});

async function findHeld(world: Context['world'], number: string) {
  const found = await readHeld(world, number);
  if (found !== undefined) return found;
  throw new Problem('not-found', `Request "${number}" is not held by any running guard.`);
}

function answer(
  { world }: Pick<Context, 'world'>,
  number: string,
  given: HeldAnswer,
  passphrase?: string | undefined,
): Promise<void> {
  return answerHeld(world, number, given, { user: userName(), by: 'command', passphrase });
}

function formatHeld(request: HeldRequest): string {
  const { number, client, effect } = request;
  const items = formatItems(request);
  const many = items === undefined ? '' : ` (${items})`;
  const hidden = formatHiddenNames(request);
  return [
    number,
    formatState(request),
    client,
    effect,
    `${formatHeldRequest(request)}${many}`,
    ...(hidden === undefined ? [] : [hidden]),
    formatRules(request),
  ].join('  ');
}
