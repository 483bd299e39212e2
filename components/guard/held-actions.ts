import type { HeldAnswer } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import type { Action, PaneAction } from '../kit/keys/action.ts';
import type { Busy } from '../kit/keys/busy.ts';
import { cannotWriteSelected, moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Danger, Shortcut, Situation } from '../kit/keys/shortcut.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type ActionResult, type Dialog, formDialog, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { affectedLines, effectLines, programLine, rulesLine, sameLine } from './request-lines.ts';

/** The input of the actions: the selected or displayed request, and the parts of the pane. */
interface Here {
  readonly request: HeldRequest | undefined;
  readonly parts: PaneParts;
}

type HeldAction = Action<Here, ActionResult>;

const answering: Busy = { kind: 'writing', words: 'answering' };

const answerActions: readonly HeldAction[] = [
  {
    does: 'approve',
    press: ['ctrl+y'],
    label: 'approve',
    about: 'Approve the request, after confirmation',
    unless: cannotWriteSelected,
    run: ({ request, parts }) => approveAction(request, 'approve', parts),
  },
  {
    does: 'refuse',
    press: ['ctrl+n'],
    label: 'refuse',
    about: 'Refuse the request; its program receives status 403',
    unless: cannotRefuse,
    run: ({ request, parts }) => dropped(request) ?? (request && answerWork(request, 'refuse', parts)),
  },
  {
    does: 'approve-same',
    press: ['ctrl+r'],
    label: 'approve matching',
    about: 'Approve the request, and matching requests until the guard stops, after confirmation',
    unless: cannotWriteSelected,
    run: ({ request, parts }) => approveAction(request, 'approve-same', parts),
  },
];

/** Returns a notice if the program that sent a request has closed the connection; otherwise undefined. */
function dropped(request: HeldRequest | undefined): ActionResult | undefined {
  if (request?.state !== 'disconnected') return undefined;
  return {
    notice: `The program of request ${request.number} has closed the connection: the request was dropped.`,
  };
}

function approveAction(request: HeldRequest | undefined, answer: HeldAnswer, parts: PaneParts): ActionResult {
  if (request?.blocked !== undefined) return { notice: request.blocked };
  return dropped(request) ?? (request && { dialog: approveDialog(request, answer, parts) });
}

/** Returns why a request cannot be refused now; false if it can be refused. A read-only session can refuse requests. */
function cannotRefuse(situation: Situation): string | false {
  return noSelection(situation) || whileBusy(situation);
}

const copy: Shortcut<string> = {
  does: 'copy',
  press: ['y'],
  label: 'copy',
  about: 'Copy the number of the request, for edgectl guard approve',
  unless: noSelection,
};

/** The actions of the list of held requests. */
export const heldActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'details',
    about: 'Show what the request sends, and what it would change',
    unless: noSelection,
    run: ({ request }) => request && { opens: { pane: 'held-request', number: request.number } },
  },
  ...answerActions,
  ...filterShortcuts,
  {
    ...copy,
    run: ({ request, parts }) => request && { notice: parts.copy(Buffer.from(request.number), 'the number') },
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then go back to where you were',
  },
  ...moveShortcuts,
];

/** The actions of the pane of one held request. */
export const heldRequestActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  ...answerActions,
  { ...copy, about: 'Copy the line' },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Go back to where you were' },
  ...moveShortcuts,
];

/** Returns the dialog that asks before a request is approved: a question, or for a locked profile a form that asks for the passphrase. */
function approveDialog(request: HeldRequest, answer: HeldAnswer, parts: PaneParts): Dialog<Work> {
  const { number, locked } = request;
  const title =
    answer === 'approve' ? `Approve request ${number}?` : `Approve request ${number} and matching requests?`;
  // The most important lines come first: a small screen hides the last lines.
  const lines = [
    ...effectLines(request),
    ...(answer === 'approve' ? [] : [sameLine(request, parts.held.isOwn(number))]),
    ...affectedLines(request),
    rulesLine(request),
    programLine(request),
  ];
  const danger = findDanger(request);
  if (locked === undefined) {
    const question = {
      question: title,
      lost: lines,
      danger,
      yes: answer === 'approve' ? 'approve it' : 'approve all matching',
    };
    return { kind: 'confirm', question, command: answerWork(request, answer, parts) };
  }
  const field = {
    name: 'passphrase',
    label: 'Passphrase',
    value: '',
    hidden: true,
    note: `Of profile ${locked}`,
  };
  const form = { ...openForm(title, [field], lines), submit: 'approve', danger };
  return formDialog(form, ({ passphrase = '' }) =>
    passphrase === ''
      ? { errors: { passphrase: 'Type the passphrase, or press Esc to leave the request unanswered' } }
      : { work: answerWork(request, answer, parts, passphrase) },
  );
}

/** Returns the danger of approving a request. */
export function findDanger({ effect, undoable, lost }: HeldRequest): Danger {
  if (lost !== undefined) return 'permanent';
  if (undoable) return 'undoable';
  return effect === 'change' ? 'change' : 'permanent';
}

function answerWork(
  { number, state }: HeldRequest,
  answer: HeldAnswer,
  { held }: PaneParts,
  passphrase?: string,
): Work {
  const same = `, and matching requests until the ${held.isOwn(number) ? 'console closes' : 'guard stops'}`;
  const approved =
    state === 'waiting' || answer === 'approve-same'
      ? `Approved request ${number}${answer === 'approve-same' ? same : ''}.`
      : `Request ${number} can be repeated once within 10 minutes.`;
  return {
    busy: answering,
    row: number,
    async run() {
      await held.answer(number, answer, passphrase);
      return { notice: answer === 'refuse' ? `Refused request ${number}.` : approved };
    },
  };
}
