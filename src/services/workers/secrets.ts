import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { bindingFault } from '../../model/config.ts';
import { describe } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import type { ValueOf } from '../../model/shape.ts';
import type { secret } from '../../model/workers/worker-shape.ts';
import { callResult } from '../../v4/client.ts';
import { checkAnswer, unconfirmedProblem } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { scriptCall, withJsonBody, withWorkerName } from './workers.ts';

/** A secret without its value, which the platform never returns. */
export type Secret = ValueOf<typeof secret>;

/** Values to set, by name; null deletes a secret. */
export type SecretChanges = ReadonlyMap<string, string | null>;

const secretsShape = v.array(v.object({ name: v.string(), type: v.string() }));
const maxBulkSecrets = 100;
const identity = (result: unknown): unknown => result;

/** Lists a worker's secrets. Throws not-found for an unknown worker. */
export async function listSecrets(
  session: Session,
  worker: string,
  { signal, wants }: { readonly signal?: AbortSignal; readonly wants?: 'give' | 'find' } = {},
): Promise<Secret[]> {
  const call = { ...(await scriptCall(session, 'GET', worker, ['secrets'])), signal };
  const check = (result: unknown) => v.parse(secretsShape, result);
  return (await withWorkerName(session, worker, () => callResult(session.send, call, check), wants)).result;
}

/**
 * Sets a secret. The deployed worker can use the new value immediately. Throws if the name is invalid or is that of another binding, if the
 * value is empty, or if the worker does not exist or its latest version is not deployed.
 */
export async function putSecret(session: Session, worker: string, name: string, text: string): Promise<void> {
  checkSecretName(name);
  checkNotEmpty(name, text);
  const body = { name, text, type: 'secret_text' };
  const call = withJsonBody(await scriptCall(session, 'PUT', worker, ['secrets']), body);
  const send = () => callResult(session.send, call, identity);
  const { result } = await withWorkerName(session, worker, send, 'give');
  checkAnswer(`Setting the secret ${name}`, { name, type: body.type }, result);
}

/** Throws if a value is empty, because the platform does not accept empty secrets. */
export function checkNotEmpty(name: string, text: string): void {
  if (text === '') throw new Problem('invalid-input', `The secret ${name} is empty; nothing was changed.`);
}

/** Deletes a secret. Throws not-found if the worker does not have the secret. */
export async function removeSecret(session: Session, worker: string, name: string): Promise<void> {
  const call = await scriptCall(session, 'DELETE', worker, ['secrets', checkSecretName(name)], {
    url_encoded: true,
  });
  const { result } = await withWorkerName(session, worker, () => callResult(session.send, call, identity));
  checkAnswer(`Deleting the secret ${name}`, { name }, result);
}

/** Sets and deletes several secrets in one request. The changes must be valid, such as the changes that `parseSecrets` returns. */
export async function changeSecrets(session: Session, worker: string, changes: SecretChanges): Promise<void> {
  const secrets = Object.fromEntries(
    [...changes].map(([name, text]) => [name, text === null ? null : { name, text, type: 'secret_text' }]),
  );
  const patch = await scriptCall(session, 'PATCH', worker, ['secrets-bulk']);
  const call = withJsonBody(patch, { secrets }, 'application/merge-patch+json');
  const send = () => callResult(session.send, call, identity);
  const { result } = await withWorkerName(session, worker, send, 'give');
  checkChangedSecrets(changes, result);
}

/** Throws if a response that lists the secrets by name contradicts the changes. */
function checkChangedSecrets(changes: SecretChanges, answered: unknown): void {
  if (typeof answered !== 'object' || answered === null) return;
  for (const [name, secret] of Object.entries(answered)) {
    const what = `Changing the secret ${name}`;
    if (changes.get(name) === null && secret !== null) throw unconfirmedProblem(what, 'a secret to delete');
    if (changes.get(name) !== undefined) checkAnswer(what, { name }, secret);
  }
}

/**
 * Parses the changes in a file: a JSON object of strings, in which null deletes a secret, or lines `NAME=value` as in `.env`. Throws if a
 * change is invalid, or if there are more than 100 changes. Errors contain names from the file, but never values. `source` is the name of
 * the file for messages, for example "secrets.json".
 */
export function parseSecrets(text: string, source: string): SecretChanges {
  const values = text.trimStart().startsWith('{') ? parseJson(text, source) : parseEnv(text);
  const entries = Object.entries(values);
  if (entries.length === 0) {
    throw new Problem('invalid-input', `${source} contains no secrets.`, {
      hint: 'Specify the secrets as one JSON object, {"NAME": "text"}, or as lines of the form NAME=text.',
    });
  }
  if (entries.length > maxBulkSecrets) {
    throw new Problem(
      'invalid-input',
      `At most ${maxBulkSecrets} secrets can be changed in one request; ${source} contains ${entries.length}.`,
    );
  }
  const wrong = entries.flatMap(([name, value]) => secretFault(name, value) ?? []);
  const [first] = wrong;
  if (first === undefined) return new Map(entries as readonly (readonly [string, string | null])[]);
  const more = wrong.slice(1).map(({ sentence }) => `\n${sentence}`);
  throw new Problem('invalid-input', [first.sentence, ...more].join(''), {
    wrong: wrong.map(({ key, reason }) => ({ key, reason })),
  });
}

interface WrongSecret {
  readonly key: string;
  readonly reason: string;
  /** A complete sentence with the name and the reason. */
  readonly sentence: string;
}

/** Returns why a name or a value is invalid for a secret; undefined if both are valid. */
function secretFault(key: string, value: unknown): WrongSecret | undefined {
  const fault = bindingFault(key);
  if (fault !== undefined) return { key, reason: fault, sentence: describeBadName(key, fault) };
  if (value === null || (typeof value === 'string' && value !== '')) return undefined;
  const what =
    typeof value === 'string' ? 'empty' : typeof value === 'object' ? describe(value) : `a ${typeof value}`;
  const reason = `it is ${what}; a secret must be a string, or null to delete it`;
  return {
    key,
    reason,
    sentence: `The secret ${key} is ${what}; a secret is a string, or null to delete it.`,
  };
}

function describeBadName(name: string, fault: string): string {
  return `Invalid secret name "${name}": ${fault}.`;
}

function parseJson(text: string, source: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    // Omits the parser's message, because the text that the message quotes may be part of a secret.
    throw new Problem('invalid-input', `${source} starts like JSON, but is not valid JSON.`, {
      hint: 'Changes must be one object: {"NAME": "text", "OLD_NAME": null}.',
    });
  }
}

/** Returns the name of a secret. Throws if the name is invalid. */
export function checkSecretName(name: string): string {
  const fault = bindingFault(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', describeBadName(name, fault));
}
