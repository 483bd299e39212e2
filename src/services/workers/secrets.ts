import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { bindingFault } from '../../model/config.ts';
import { describe } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { callResult } from '../../v4/client.ts';
import { otherDone, refuseOther } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { namingWorker, scriptCall, withJson } from './workers.ts';

/** A secret as the platform shows it: never its text. */
export interface Secret {
  readonly name: string;
  readonly type: string;
}

/** Values to set, by name; null deletes a secret. */
export type SecretChanges = ReadonlyMap<string, string | null>;

const secretsShape = v.array(v.object({ name: v.string(), type: v.string() }));
const bulkLimit = 100;
const asItIs = (result: unknown): unknown => result;

/** Names of a worker's secrets. Refuses with not-found an unknown worker. */
export async function listSecrets(
  session: Session,
  worker: string,
  { signal, wants }: { readonly signal?: AbortSignal; readonly wants?: 'give' | 'find' } = {},
): Promise<Secret[]> {
  const call = { ...(await scriptCall(session, 'GET', worker, ['secrets'])), signal };
  const check = (result: unknown) => v.parse(secretsShape, result);
  return (await namingWorker(session, worker, () => callResult(session.send, call, check), wants)).result;
}

/**
 * Sets a secret; the deployed worker sees it immediately. Refuses an invalid name, an empty value, a name that another binding
 * has, an unknown worker, and a worker whose latest version is not deployed.
 */
export async function putSecret(session: Session, worker: string, name: string, text: string): Promise<void> {
  checkSecretName(name);
  checkNotEmpty(name, text);
  const body = { name, text, type: 'secret_text' };
  const call = withJson(await scriptCall(session, 'PUT', worker, ['secrets']), body);
  const send = () => callResult(session.send, call, asItIs);
  const { result } = await namingWorker(session, worker, send, 'give');
  refuseOther(`Setting the secret ${name}`, { name, type: body.type }, result);
}

/** Refuses an empty text, which no secret has. */
export function checkNotEmpty(name: string, text: string): void {
  if (text === '') throw new Problem('invalid-input', `The secret ${name} is empty; nothing was changed.`);
}

/** Removes a secret. Refuses with not-found one that the worker does not have. */
export async function removeSecret(session: Session, worker: string, name: string): Promise<void> {
  const call = await scriptCall(session, 'DELETE', worker, ['secrets', checkSecretName(name)], {
    url_encoded: true,
  });
  const { result } = await namingWorker(session, worker, () => callResult(session.send, call, asItIs));
  refuseOther(`Deleting the secret ${name}`, { name }, result);
}

/** Sets and removes several secrets in one request. Refuses as `putSecret` does, and more than a hundred. */
export async function changeSecrets(session: Session, worker: string, changes: SecretChanges): Promise<void> {
  const secrets = Object.fromEntries(
    [...changes].map(([name, text]) => [name, text === null ? null : { name, text, type: 'secret_text' }]),
  );
  const patch = await scriptCall(session, 'PATCH', worker, ['secrets-bulk']);
  const call = withJson(patch, { secrets }, 'application/merge-patch+json');
  const send = () => callResult(session.send, call, asItIs);
  const { result } = await namingWorker(session, worker, send, 'give');
  refuseOtherSecrets(changes, result);
}

/** Checks the answer where it lists the secrets by name. */
function refuseOtherSecrets(changes: SecretChanges, answered: unknown): void {
  if (typeof answered !== 'object' || answered === null) return;
  for (const [name, secret] of Object.entries(answered)) {
    const what = `Changing the secret ${name}`;
    if (changes.get(name) === null && secret !== null) throw otherDone(what, 'a secret to delete');
    if (changes.get(name) !== undefined) refuseOther(what, { name }, secret);
  }
}

/**
 * Parses the changes in a file: a JSON object of strings, where null deletes, or lines `NAME=value` as in `.env`. Refuses
 * anything else by the names in it, never by a value. `source` names the file: "secrets.json".
 */
export function parseSecrets(text: string, source: string): SecretChanges {
  const values = text.trimStart().startsWith('{') ? parseJson(text, source) : parseEnv(text);
  const entries = Object.entries(values);
  if (entries.length === 0) {
    throw new Problem('invalid-input', `${source} holds no secret.`, {
      hint: 'It is one JSON object, {"NAME": "text"}, or lines NAME=text.',
    });
  }
  if (entries.length > bulkLimit) {
    throw new Problem(
      'invalid-input',
      `At most ${bulkLimit} secrets can be changed in one request; ${source} has ${entries.length}.`,
    );
  }
  const wrong = entries.flatMap(([name, value]) => secretFault(name, value) ?? []);
  const [first] = wrong;
  if (first === undefined) return new Map(entries as readonly (readonly [string, string | null])[]);
  const more = wrong.slice(1).map(({ said }) => `\n${said}`);
  throw new Problem('invalid-input', [first.said, ...more].join(''), {
    wrong: wrong.map(({ key, reason }) => ({ key, reason })),
  });
}

interface WrongSecret {
  readonly key: string;
  readonly reason: string;
  /** The reason in a whole sentence. */
  readonly said: string;
}

/** Explains why a name or value cannot be a secret's; undefined if it can. */
function secretFault(key: string, value: unknown): WrongSecret | undefined {
  const fault = bindingFault(key);
  if (fault !== undefined) return { key, reason: fault, said: badNameWords(key, fault) };
  if (value === null || (typeof value === 'string' && value !== '')) return undefined;
  const what =
    typeof value === 'string' ? 'empty' : typeof value === 'object' ? describe(value) : `a ${typeof value}`;
  const reason = `it is ${what}; a secret is a string, or null to delete it`;
  return { key, reason, said: `The secret ${key} is ${what}; a secret is a string, or null to delete it.` };
}

function badNameWords(name: string, fault: string): string {
  return `Bad secret name "${name}": ${fault}.`;
}

function parseJson(text: string, source: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text round the fault, which is a secret's.
    throw new Problem('invalid-input', `${source} begins like JSON and is none.`, {
      hint: 'It is one object: {"NAME": "text", "OLD_NAME": null}.',
    });
  }
}

/** Refuses a name that no secret can have. */
export function checkSecretName(name: string): string {
  const fault = bindingFault(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', badNameWords(name, fault));
}
