import { extname } from 'node:path';
import * as v from 'valibot';
import { type OutputFileOptions, openOutputFile } from '../../files/output-file.ts';
import { readWholeFile } from '../../files/read.ts';
import { isNewer, newerFormatProblem } from '../../model/formats.ts';
import { isObject } from '../../model/json-object.ts';
import { shortText } from '../../model/long-text.ts';
import { isProblem, maxWrongEntries, Problem, replaceAdvice, type WrongEntry } from '../../model/problem.ts';
import type { SeedCounts } from '../../model/sandbox/seed.ts';
import { formatSize, groupDigits } from '../../text/size.ts';
import { callResult } from '../../v4/client.ts';
import { parseEnvelope } from '../../v4/parse-envelope.ts';
import { readBody, type Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { changing, reading } from '../hostnames/calls.ts';

const path = ['sandbox', 'seed'];
/** Maximum size of a seed, in bytes. */
const maxSeedBytes = 300 * 1024 * 1024;

/** Size above which reading a seed takes noticeable time, in bytes. */
const slowSeedBytes = 4 * 1024 * 1024;

const newerSeedHint = 'Upgrade edgectl; nothing was changed.';
const emptySeedHint = 'Did the program that writes the file fail? For a seed without data, write {}.';

type SeedWorld = Pick<World, 'cwd' | 'interrupted' | 'endable'>;

/** A seed whose content has not been checked, with a name for messages. */
export interface NamedSeed {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Reads a seed in YAML or JSON. The file extension determines the format; for other extensions, the first character does. Throws
 * invalid-input if the file is invalid, has no content or only comments, or is larger than 300 MiB. Calls `note` with a message about how to
 * stop reading a large seed.
 */
export async function readSeedFile(
  world: SeedWorld,
  name: string,
  note?: (message: string) => void,
): Promise<NamedSeed> {
  const bytes = await readWholeFile(world, { name }, maxSeedBytes).catch((error: unknown) => {
    const isGuess = name === 'demo' && isProblem(error);
    throw isGuess ? replaceAdvice(error, { remedy: { kind: 'demo-data' } }) : error;
  });
  // Prints the message before the work, because no signal handler can run during the work.
  if (bytes.length > slowSeedBytes)
    note?.(
      `Reading ${name} (${formatSize(bytes.length)}). Press Ctrl-C to stop; nothing has been changed yet.`,
    );
  const text = bytes.toString('utf8');
  const value = text.trim() === '' ? null : await parseSeed(world, name, text);
  // The program that should have written the seed may have failed, and replacing a sandbox with an empty seed would delete its data.
  if (value === null) throw new Problem('invalid-input', `${name} is empty.`, { hint: emptySeedHint });
  return { name, value };
}

async function parseSeed(world: SeedWorld, name: string, text: string): Promise<unknown> {
  return isYaml(name, text) ? parseYaml(world, name, text) : runEndable(world, () => parseJson(name, text));
}

/** Runs work that takes seconds for a large seed, and lets a signal stop this work. */
function runEndable<T>(world: SeedWorld, work: () => T): T {
  return world.endable === undefined ? work() : world.endable(work);
}

function isYaml(name: string, text: string): boolean {
  const ending = extname(name).toLowerCase();
  return ['.yaml', '.yml'].includes(ending) || (ending !== '.json' && !/^\s*[{[]/.test(text));
}

async function parseYaml(world: SeedWorld, name: string, text: string): Promise<unknown> {
  // Loads the YAML parser only for YAML files.
  const { readYaml } = await import('./yaml.ts');
  return runEndable(world, () => {
    const read = readYaml(text);
    if ('fault' in read) throw unreadableProblem(name, 'YAML', read.fault, undefined);
    if (!containsItself(read.value)) return read.value;
    throw new Problem(
      'invalid-input',
      `${name} is not a seed: an anchor (&) contains an alias (*) to itself.`,
    );
  });
}

/**
 * Returns whether a value contains itself, which is possible in YAML but not in JSON. `above` contains the values that contain `value`, and
 * `done` contains the values that do not contain themselves.
 */
function containsItself(value: unknown, above = new Set<unknown>(), done = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || done.has(value)) return false;
  if (above.has(value)) return true;
  above.add(value);
  if (Object.values(value).some((one) => containsItself(one, above, done))) return true;
  above.delete(value);
  done.add(value);
  return false;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadableProblem(name, 'JSON', error instanceof Error ? error.message : String(error), error);
  }
}

function unreadableProblem(name: string, format: string, reason: string, cause: unknown): Problem {
  const words = shortText(reason.replace(/:?\.?$/, ''), 300);
  return new Problem('invalid-input', `${name} is not valid ${format}: ${words}.`, { cause });
}

/**
 * Loads a seed into a sandbox. With `replaces`, the seed replaces all data. If the seed is invalid, throws invalid-input with a line for each
 * fault, and changes nothing.
 */
export async function loadSeed(
  send: Send,
  { name, value }: NamedSeed,
  replaces = false,
): Promise<SeedCounts> {
  const version = isObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && isNewer('seed', version)) {
    throw newerFormatProblem('seed', name, version, { code: 'invalid-input', hint: newerSeedHint });
  }
  const call = changing('PUT', path, value, replaces ? { replace: 'true' } : {});
  return (await callResult((sent) => sendSeed(send, sent, name), call, parseCounts)).result;
}

function parseCounts(value: unknown): SeedCounts {
  return v.parse(v.record(v.string(), v.number()), value);
}

const sendSeed = async (send: Send, call: Parameters<Send>[0], name: string) => {
  const answer = await send(call);
  if (answer.status !== 400) return answer;
  const body = await readBody(answer.body);
  const faults = parseEnvelope(body)?.errors.map(({ message }) => message) ?? [];
  const hint = 'Nothing was changed. See edgectl help seed for an example and all fields.';
  const more = faults.length - maxWrongEntries;
  const lines = [
    ...faults.slice(0, maxWrongEntries),
    ...(more > 0 ? [`… and ${groupDigits(more)} more`] : []),
  ];
  throw new Problem('invalid-input', [`${name} is not a valid seed:`, ...lines].join('\n'), {
    hint,
    wrong: faults.slice(0, maxWrongEntries).map(parseFault),
  });
};

/** Parses a fault of the form `hostnames[1].status: reason`. */
function parseFault(fault: string): WrongEntry {
  const [, key, reason] = /^([A-Za-z_]\w*(?:\[\d+\]|\.\w+)*): (.+)$/s.exec(fault) ?? [];
  return key === undefined || reason === undefined ? { reason: fault } : { key, reason };
}

/** Returns all data of a sandbox as a seed. */
export async function readSnapshot(send: Send): Promise<unknown> {
  return (await callResult(send, { ...reading(path), wholeAnswer: maxSeedBytes }, (value) => value)).result;
}

/**
 * Opens a seed file for writing. Call this function before collecting the data. The format is YAML for a YAML file extension, otherwise
 * JSON. Only the owner may read the file, because it contains secrets.
 */
export async function openSeedFile(
  world: Parameters<typeof openOutputFile>[0],
  { name, ifThere }: Pick<OutputFileOptions, 'name' | 'ifThere'>,
): Promise<{ readonly isStdout: boolean; write(seed: unknown): Promise<void> }> {
  const file = await openOutputFile(world, {
    name,
    ifThere,
    isPrivate: true,
    holdsCredentials: true,
    ofFolder: { hint: 'Specify a file in the folder.' },
  });
  const isYamlFile = ['.yaml', '.yml'].includes(extname(name).toLowerCase());
  return {
    isStdout: file.destination.kind === 'stdout',
    async write(seed) {
      await file.write(toChunks(isYamlFile ? await formatYaml(seed) : `${JSON.stringify(seed, null, 2)}\n`));
    },
  };
}

async function formatYaml(seed: unknown): Promise<string> {
  const { stringify } = await import('./yaml.ts');
  return stringify(seed, { lineWidth: 0 });
}

async function* toChunks(text: string): AsyncGenerator<string> {
  yield text;
}
