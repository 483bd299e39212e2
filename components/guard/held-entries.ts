import {
  formatHeldRequest,
  formatHiddenNames,
  formatItems,
  formatProgram,
  formatRules,
} from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { isObject } from '../../src/model/json-object.ts';
import { lineDifference } from '../../src/model/kv/line-difference.ts';
import type { HeldDetail, ShownContent, ShownText } from '../../src/services/guard/approvals.ts';
import { jsonText } from '../../src/text/json.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { parseBody } from '../../src/v4/body-names.ts';
import { hunkEntries } from '../comparison/comparison-view.ts';
import type { Role } from '../kit/theme.ts';
import { type Entry, factEntries, headingEntry } from '../ui/viewer/entries.ts';

export const heldStateRoles: Readonly<Record<HeldRequest['state'], Role>> = {
  waiting: 'warning',
  refused: 'dim',
  approved: 'good',
  disconnected: 'dim',
};

/** Returns the seconds until the current state of a request ends, at least 0. `now` is in milliseconds. */
export function secondsLeft({ until }: HeldRequest, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** Formats the number of items and the size of the body; undefined for a single item without a body, because neither is worth showing. */
export function formatExtent(request: HeldRequest): string | undefined {
  const size = request.bytes === 0 ? undefined : `body of ${formatSize(request.bytes)}`;
  const all = [formatItems(request), size].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : all.join(', ');
}

/** Returns the facts about a request, except the remaining time. */
export function heldFacts(request: HeldRequest): Entry[] {
  const { place, effect, policy, locked, at } = request;
  return [
    ...factEntries('Request', formatHeldRequest(request), { role: 'title' }),
    ...factEntries('Effect', effect),
    ...factEntries('Program', formatProgram(request)),
    ...factEntries('Platform', place),
    ...factEntries('Extent', formatExtent(request)),
    ...factEntries('Affects', formatHiddenNames(request)),
    ...factEntries('Asked by', `${formatRules(request)} (${policy})`),
    ...undoEntries(request),
    ...factEntries('Locked', locked && `approval needs the passphrase of profile ${locked}`),
    ...factEntries('Arrived', `${at.slice(0, 19).replace('T', ' ')} UTC`),
  ];
}

/**
 * Returns the entry about undo. Returns no entry if undo does not save the change and the change deletes nothing: the user can reverse such
 * a change with another change.
 */
function undoEntries({ effect, undoable, lost }: HeldRequest): Entry[] {
  if (lost !== undefined) return factEntries('Undo', lost, { role: 'warning' });
  if (undoable) return factEntries('Undo', 'can restore what the request deletes or overwrites');
  return factEntries('Undo', effect === 'destroy' ? 'does not save the data' : undefined, {
    role: 'warning',
  });
}

/** Returns the entry about the state of a request, with the time until the state ends. `now` is in milliseconds. */
export function heldStateEntries(request: HeldRequest, now: number): Entry[] {
  const left = compactDuration(secondsLeft(request, now));
  const words = {
    waiting: `the program waits another ${left}`,
    refused: `not answered in time; one repetition can be approved within ${left}`,
    approved: `can be repeated once within ${left}`,
    disconnected: 'the program has closed the connection: the request was dropped, and changed nothing',
  };
  return factEntries('State', words[request.state], { role: heldStateRoles[request.state] });
}

/** Returns the entries about the current state and the sent body, or the diff between the two if both are text. */
export function bodyEntries({ request, sent, present }: HeldDetail): Entry[] {
  if (sent === 'hidden' || present === 'hidden')
    return [{ text: '' }, { text: 'The content is hidden, because it can contain a secret.', role: 'dim' }];
  // Truncated JSON cannot be parsed, so truncated text is compared only if both texts are raw data, not JSON about the resource.
  const canCompare = isData(request) || !(isCut(sent) || isCut(present));
  if (typeof sent === 'object' && typeof present === 'object' && canCompare)
    return [
      { text: '' },
      headingEntry('Before and after'),
      ...cutEntries('current state', present),
      ...cutEntries('body', sent),
      ...differenceEntries(request, sent, present),
    ];
  const sentEntries = contentEntries('Sends', 'body', sent, (text) => sentText(request, text, present));
  return [
    ...contentEntries(
      'Current state',
      'current state',
      present,
      (text) => presentText(request, text),
      request,
    ),
    ...(sent === 'none' ? [] : sentEntries),
  ];
}

/** Returns whether the body of the request, and the response to a GET of the resource, are raw data instead of JSON about the resource. */
function isData({ noun }: HeldRequest): boolean {
  return noun === 'key' || noun === 'object';
}

function isCut(content: ShownContent): boolean {
  return typeof content === 'object' && content.bytes !== content.total;
}

/** Returns a warning with the number of bytes shown, if the text was truncated. */
function cutEntries(what: string, content: ShownContent): Entry[] {
  if (typeof content !== 'object' || !isCut(content)) return [];
  const { bytes, total } = content;
  const ofTotal = total === undefined ? '' : ` of ${groupDigits(total)}`;
  const text = `Only the first ${groupDigits(bytes)}${ofTotal} bytes of the ${what} are shown.`;
  return [{ text, role: 'warning' }];
}

function contentEntries(
  heading: string,
  what: string,
  content: ShownContent,
  format: (text: string) => string,
  request?: HeldRequest,
): Entry[] {
  const start = [{ text: '' }, headingEntry(heading)];
  if (typeof content === 'object')
    return [...start, ...cutEntries(what, content), ...textEntries(format(content.text), request)];
  const words = {
    none: 'Nothing: the item does not exist.',
    binary: `Not shown: the ${what} is not text.`,
    unread: `Unknown: the ${what} was not read.`,
    hidden: '',
  };
  return [...start, { text: words[content], role: 'dim' }];
}

function differenceEntries(request: HeldRequest, sent: ShownText, present: ShownText): Entry[] {
  const compare = (before: string, after: string) => lineDifference(before.split('\n'), after.split('\n'));
  const formatted = compare(presentText(request, present.text), sentText(request, sent.text, present));
  // Two values with the same formatted JSON can differ, for example in spaces or in the digits of a large number.
  const hunks = formatted.length === 0 && isData(request) ? compare(present.text, sent.text) : formatted;
  if (hunks.length === 0) return [noDifferenceEntry(isCut(sent) || isCut(present))];
  return [
    { text: '- current state', role: 'removed' },
    { text: '+ after the request', role: 'added' },
    ...hunks.flatMap((hunk, index) => [
      ...(index === 0 ? [] : [{ text: '…', role: 'dim' as const }]),
      ...hunkEntries(hunk),
    ]),
  ];
}

function noDifferenceEntry(isPartial: boolean): Entry {
  if (!isPartial) return { text: 'No difference.', role: 'dim' };
  return {
    text: 'The shown parts are equal. The rest was not compared, and may differ.',
    role: 'warning',
  };
}

/** Returns the lines of a text. For a DELETE request, the lines are drawn as removed lines of a diff. */
function textEntries(text: string, request?: HeldRequest): Entry[] {
  const isRemoved = request?.method === 'DELETE';
  if (text === '') return [{ text: 'Empty.', role: 'dim' }];
  return text
    .split('\n')
    .map((line): Entry => (isRemoved ? { text: `- ${line}`, role: 'removed' } : { text: line }));
}

/** Formats JSON with sorted fields; for a v4 response, only the `result`. Returns other text unchanged. */
function presentText(request: HeldRequest, text: string): string {
  const answer = parseJson(text);
  if (!isData(request) && isObject(answer) && 'success' in answer && 'result' in answer)
    return sortedJson(answer['result']);
  return answer === undefined ? text : sortedJson(answer);
}

/** Formats the state after a request: for a PATCH, the current fields overwritten by the fields of the body; otherwise the body. */
function sentText({ method }: HeldRequest, sent: string, present: ShownContent): string {
  const body = parseJson(sent);
  if (body === undefined) return sent;
  const answer = typeof present === 'object' ? parseJson(present.text) : undefined;
  const result = isObject(answer) ? answer['result'] : undefined;
  return sortedJson(method === 'PATCH' && isObject(body) && isObject(result) ? { ...result, ...body } : body);
}

/** Formats indented JSON with sorted fields, so that a different order of fields is not shown as a difference. */
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

/**
 * Parses JSON. Returns undefined if the JSON is invalid, or if an object contains a property twice, because the platform might use the
 * other value.
 */
function parseJson(text: string): unknown {
  return parseBody(Buffer.from(text))?.value;
}
