import { subscribe } from 'node:diagnostics_channel';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { type Difference, listDifferences } from './differences.ts';
import { findExplanation } from './explained.ts';
import { published } from './openapi/published-file.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { NamedTypes, TypeSchema } from './type-schema.ts';

/** Unexplained differences since the last call of `takeUnexplainedAnswers`, each as a sentence. */
const unexplained = new Map<string, string>();

/** Parts of answers that the SDK's types do not include: the SDK extracts only `result` from most answers. */
const envelope: TypeSchema['properties'] = {
  success: { enum: [true] },
  errors: { type: 'array', items: {} },
  messages: { type: 'array', items: {} },
  result_info: {},
};

let isChecking = false;

/**
 * Compares every answer from a sandbox in this process with the types for its route in the official SDK and in the provider's OpenAPI
 * document. This includes answers from the sources and from the built package, in process and served, but not refusals.
 */
export function checkAnswers(): void {
  if (isChecking) return;
  isChecking = true;
  subscribe('edgectl:sandbox:answer', (message) => {
    // Only sandboxes publish on this channel.
    checkAnswer(message as AnsweredCall);
  });
}

/** Returns the unexplained differences, and clears the list. */
export function takeUnexplainedAnswers(): string[] {
  const told = [...unexplained.values()];
  unexplained.clear();
  return told;
}

function checkAnswer({ method, pattern, answer: { status, body } }: AnsweredCall): void {
  if (pattern === undefined || status >= 300) return;
  const route = `${method} ${pattern}`;
  const wanted = declaredBodies(route);
  if (wanted.length === 0) return;
  const value = body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString('utf8')) : undefined;
  for (const { by, type, types } of wanted) {
    for (const difference of answerDifferences(route, type, types, value)) {
      if (findExplanation(difference) === undefined)
        unexplained.set(JSON.stringify(difference), formatDifference(route, by, difference));
    }
  }
}

interface DeclaredBody {
  readonly by: string;
  readonly type: TypeSchema;
  readonly types: NamedTypes;
}

/** Returns the declared types of a route's body, with their sources; the list is empty if a source declares that the body is not JSON. */
function declaredBodies(route: string): DeclaredBody[] {
  const sdk = sdkTypes().routes[route]?.body;
  const document = published().routes[route]?.answer ?? undefined;
  if (sdk === 'raw' || document === 'raw') return [];
  return [
    ...(sdk === undefined ? [] : [{ by: 'the SDK', type: withEnvelope(sdk), types: sdkTypes().types }]),
    ...(document === undefined
      ? []
      : [{ by: 'the OpenAPI document', type: document, types: published().types }]),
  ];
}

/** Returns the differences between the body of an answer and its type. `value` is undefined if the body is a stream. */
function answerDifferences(route: string, type: TypeSchema, types: NamedTypes, value: unknown): Difference[] {
  if (value === undefined) return [{ of: route, field: '', is: 'a stream', says: 'JSON' }];
  return listDifferences(type, types, value, route);
}

function withEnvelope(type: TypeSchema): TypeSchema {
  if (type.properties?.['result'] === undefined) return type;
  return { ...type, properties: { ...envelope, ...type.properties } };
}

function formatDifference(route: string, by: string, { of, field, is, says }: Difference): string {
  return `${route}: ${field || 'it'} of ${of} is ${is}, but ${by} says ${says}`;
}
