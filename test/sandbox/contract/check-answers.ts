import { subscribe } from 'node:diagnostics_channel';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { type Difference, listDifferences } from './differences.ts';
import { findExplanation } from './explained.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

/** Differences that nothing explains, since they were last asked for; each in a sentence. */
const unexplained = new Map<string, string>();

/** What each route is answered with beside what its type says: the SDK takes only `result` out of most answers. */
const envelope: TypeSchema['properties'] = {
  success: { enum: [true] },
  errors: { type: 'array', items: {} },
  messages: { type: 'array', items: {} },
  result_info: {},
};

let isChecking = false;

/**
 * Holds every answer that a sandbox in this process gives against the type that the official SDK has for its route: those
 * of the sources and those of the built package alike, in process and served. Refusals are passed over.
 */
export function checkAnswers(): void {
  if (isChecking) return;
  isChecking = true;
  subscribe('edgectl:sandbox:answer', (message) => {
    // Nobody else publishes on it.
    checkAnswer(message as AnsweredCall);
  });
}

/** What was answered otherwise than the SDK says and is not explained, and forgets it. */
export function takeUnexplainedAnswers(): string[] {
  const told = [...unexplained.values()];
  unexplained.clear();
  return told;
}

function checkAnswer({ method, pattern, answer: { status, body } }: AnsweredCall): void {
  if (pattern === undefined || status >= 300) return;
  const route = `${method} ${pattern}`;
  const type = sdkTypes().routes[route]?.body;
  if (type === undefined || type === 'raw') return;
  for (const difference of answerDifferences(route, type, body)) {
    if (findExplanation(difference) === undefined)
      unexplained.set(JSON.stringify(difference), formatDifference(route, difference));
  }
}

/** How the body of an answer differs from its type. */
function answerDifferences(
  route: string,
  type: TypeSchema,
  body: AnsweredCall['answer']['body'],
): Difference[] {
  if (!(body instanceof Uint8Array)) return [{ of: route, field: '', is: 'a stream', says: 'JSON' }];
  const whole =
    type.properties?.['result'] === undefined
      ? type
      : { ...type, properties: { ...envelope, ...type.properties } };
  return listDifferences(whole, sdkTypes().types, JSON.parse(Buffer.from(body).toString('utf8')), route);
}

function formatDifference(route: string, { of, field, is, says }: Difference): string {
  return `${route}: ${field || 'it'} of ${of} is ${is}, and the SDK says ${says}`;
}
