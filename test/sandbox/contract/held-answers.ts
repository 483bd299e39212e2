import { subscribe } from 'node:diagnostics_channel';
import type { Answered } from '../../../src/sandbox/http/app.ts';
import { type Difference, differences } from './differences.ts';
import { explanationOf } from './explained.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

/** Differences that nothing explains, since they were last asked for; each in a sentence. */
const strange = new Map<string, string>();

/** What each route is answered with beside what its type says: the SDK takes only `result` out of most answers. */
const envelope: TypeSchema['properties'] = {
  success: { enum: [true] },
  errors: { type: 'array', items: {} },
  messages: { type: 'array', items: {} },
  result_info: {},
};

let isHolding = false;

/**
 * Holds every answer that a sandbox in this process gives against the type that the official SDK has for its route: those
 * of the sources and those of the built package alike, in process and served. Refusals are passed over.
 */
export function holdAnswers(): void {
  if (isHolding) return;
  isHolding = true;
  subscribe('edgectl:sandbox:answer', (message) => {
    // Nobody else publishes on it.
    hold(message as Answered);
  });
}

/** What was answered otherwise than the SDK says and is not explained, and forgets it. */
export function takeStrangeAnswers(): string[] {
  const told = [...strange.values()];
  strange.clear();
  return told;
}

function hold({ method, pattern, answer: { status, body } }: Answered): void {
  if (pattern === undefined || status >= 300) return;
  const route = `${method} ${pattern}`;
  const type = sdkTypes().routes[route]?.body;
  if (type === undefined || type === 'raw') return;
  for (const difference of answerDifferences(route, type, body)) {
    if (explanationOf(difference) === undefined)
      strange.set(JSON.stringify(difference), told(route, difference));
  }
}

/** How the body of an answer differs from its type. */
function answerDifferences(route: string, type: TypeSchema, body: Answered['answer']['body']): Difference[] {
  if (!(body instanceof Uint8Array)) return [{ of: route, field: '', is: 'a stream', says: 'JSON' }];
  const whole =
    type.properties?.['result'] === undefined
      ? type
      : { ...type, properties: { ...envelope, ...type.properties } };
  return differences(whole, sdkTypes().types, JSON.parse(Buffer.from(body).toString('utf8')), route);
}

function told(route: string, { of, field, is, says }: Difference): string {
  return `${route}: ${field || 'it'} of ${of} is ${is}, and the SDK says ${says}`;
}
