import { formatAffected, formatHeldRequest, formatItems } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { isObject } from '../../src/model/json-object.ts';
import { lineDifference } from '../../src/model/kv/line-difference.ts';
import type { HeldDetail } from '../../src/services/guard/approvals.ts';
import { jsonText } from '../../src/text/json.ts';
import { formatSize } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { hunkEntries } from '../comparison/comparison-view.ts';
import type { Role } from '../kit/theme.ts';
import { type Entry, factEntries, headingEntry } from '../ui/viewer/entries.ts';

export const heldStateRoles: Readonly<Record<HeldRequest['state'], Role>> = {
  waiting: 'warning',
  refused: 'dim',
  approved: 'good',
  disconnected: 'dim',
};

/** Returns the seconds until the state of a request ends. `now` is in milliseconds. */
export function secondsLeft({ until }: HeldRequest, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** Returns the number of items and the size of the body; undefined if the request affects only one item and has no body. */
export function formatExtent(request: HeldRequest): string | undefined {
  const size = request.bytes === 0 ? undefined : `body of ${formatSize(request.bytes)}`;
  const all = [formatItems(request), size].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : all.join(', ');
}

/** Returns the program that sent a request. The name that a program sends proves nothing. */
export function formatProgram({ client, agent }: HeldRequest): string {
  return agent === undefined ? client : `${client} (calls itself ${agent})`;
}

/** Returns the facts of a request, without the remaining time. */
export function heldFacts(request: HeldRequest): Entry[] {
  const { place, rule, policy, locked, at } = request;
  return [
    ...factEntries('Request', formatHeldRequest(request), { role: 'title' }),
    ...factEntries('Program', formatProgram(request)),
    ...factEntries('Place', place),
    ...factEntries('Extent', formatExtent(request)),
    ...factEntries('Affects', request.names && formatAffected(request)),
    ...factEntries('Rule', `${rule} (${policy})`),
    ...undoEntries(request),
    ...factEntries('Locked', locked && `approval needs the passphrase of profile ${locked}`),
    ...factEntries('Arrived', `${at.slice(0, 19).replace('T', ' ')} UTC`),
  ];
}

/** Returns whether undo can restore the data that a request deletes or overwrites. A change that undo does not save can be reversed by
 * another change. */
function undoEntries({ effect, undoable, lost }: HeldRequest): Entry[] {
  if (lost !== undefined) return factEntries('Undo', lost, { role: 'warning' });
  if (undoable) return factEntries('Undo', 'can restore what it deletes or overwrites');
  return factEntries('Undo', effect === 'destroy' ? 'does not save this' : undefined, { role: 'warning' });
}

/** Returns what happens to a request when its time runs out. */
export function heldStateEntries(request: HeldRequest, now: number): Entry[] {
  const left = compactDuration(secondsLeft(request, now));
  const words = {
    waiting: `the program waits another ${left}`,
    refused: `not answered in time; can be approved for one repetition, for ${left}`,
    approved: `can be repeated once, for ${left}`,
    disconnected: 'the program has closed the connection: the request was dropped, and changed nothing',
  };
  return factEntries('State', words[request.state], { role: heldStateRoles[request.state] });
}

/** Returns the current state, the sent body, or the diff between the two if both are text. */
export function bodyEntries({ request, sent, present }: HeldDetail): Entry[] {
  const before = present === undefined ? undefined : presentText(present);
  const after = sent === undefined ? undefined : sentText(request, sent, present);
  if (before === undefined && after === undefined)
    return [
      { text: '' },
      {
        text: 'The content of the request is unknown, or is hidden because it can be a secret.',
        role: 'dim',
      },
    ];
  if (before !== undefined && after !== undefined && before !== '')
    return [{ text: '' }, headingEntry('Before and after'), ...differenceEntries(before, after)];
  return [
    ...(before === undefined
      ? []
      : [{ text: '' }, headingEntry('Current state'), ...textEntries(before, request)]),
    ...(after === undefined ? [] : [{ text: '' }, headingEntry('Sends'), ...textEntries(after)]),
  ];
}

function differenceEntries(before: string, after: string): Entry[] {
  const hunks = lineDifference(before.split('\n'), after.split('\n'));
  if (hunks.length === 0) return [{ text: 'No difference.', role: 'dim' }];
  return [
    { text: '- current state', role: 'removed' },
    { text: '+ after the request', role: 'added' },
    ...hunks.flatMap((hunk, index) => [
      ...(index === 0 ? [] : [{ text: '…', role: 'dim' as const }]),
      ...hunkEntries(hunk),
    ]),
  ];
}

/** Returns the lines of a text. Data removed by a DELETE has the color of the removed side of a diff. */
function textEntries(text: string, request?: HeldRequest): Entry[] {
  if (text === '') return [{ text: 'Nothing: the item does not exist.', role: 'dim' }];
  const isRemoved = request?.method === 'DELETE';
  return text
    .split('\n')
    .map((line): Entry => (isRemoved ? { text: `- ${line}`, role: 'removed' } : { text: line }));
}

/** Returns the result in a platform answer as indented JSON; other text unchanged. */
function presentText(text: string): string {
  const answer = parseJson(text);
  if (isObject(answer) && 'success' in answer && 'result' in answer) return sortedJson(answer['result']);
  return answer === undefined ? text : sortedJson(answer);
}

/** Returns the state after a request: a PATCH changes only the fields in its body. */
function sentText({ method }: HeldRequest, sent: string, present: string | undefined): string {
  const body = parseJson(sent);
  if (body === undefined) return sent;
  const answer = present === undefined ? undefined : parseJson(present);
  const result = isObject(answer) ? answer['result'] : undefined;
  return sortedJson(method === 'PATCH' && isObject(body) && isObject(result) ? { ...result, ...body } : body);
}

/** Returns indented JSON with sorted fields: a different order of fields is not a difference. */
function sortedJson(value: unknown): string {
  return jsonText(sortFields(value), 2);
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortFields(value[name])]),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
