import { subscribe } from 'node:diagnostics_channel';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { type Difference, listDifferences } from './differences.ts';
import { findExplanation } from './explained.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

/** Unexplained differences since the last call of `takeUnexplainedAnswers`, each as a sentence. */
const unexplained = new Map<string, string>();

/** Parts of answers outside their SDK type: the SDK extracts only `result` from most answers. */
const envelope: TypeSchema['properties'] = {
  success: { enum: [true] },
  errors: { type: 'array', items: {} },
  messages: { type: 'array', items: {} },
  result_info: {},
};

let isChecking = false;

/**
 * Compares every answer of a sandbox in this process with the official SDK's type for its route: answers of the
 * sources and of the built package, in process and served. Skips refusals.
 */
export function checkAnswers(): void {
  if (isChecking) return;
  isChecking = true;
  subscribe('edgectl:sandbox:answer', (message) => {
    // Nobody else publishes on this channel.
    checkAnswer(message as AnsweredCall);
  });
}

/** Returns the unexplained differences from the SDK, and forgets them. */
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

/** Returns the differences between the body of an answer and its type. */
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
  return `${route}: ${field || 'it'} of ${of} is ${is}, but the SDK says ${says}`;
}
