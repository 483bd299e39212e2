import * as v from 'valibot';
import { type OutputFileOptions, openOutputFile } from '../../files/output-file.ts';
import type { Facts } from '../../model/diagnosis/facts.ts';
import { parseFacts } from '../../model/diagnosis/facts-shape.ts';
import { findVersion, formatVersions, isNewer, newerFormatProblem } from '../../model/formats.ts';
import { maxWrongEntries, Problem } from '../../model/problem.ts';
import { explainShapeFault } from '../../model/shape-fault.ts';
import { jsonFault } from '../../text/json.ts';
import { JsonElements } from '../../text/json-elements.ts';
import { groupDigits } from '../../text/size.ts';
import { callResult } from '../../v4/client.ts';
import type { World } from '../../world.ts';
import { changing } from '../hostnames/calls.ts';
import { type BulkInput, openBulkInput } from '../kv/bulk/input.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { findIncomplete, type Incomplete } from './forecast.ts';

/** Maximum size in bytes of an entry, which contains the facts about one hostname. */
const maxEntryBytes = 4 * 1024 * 1024;

/**
 * Writes the facts about a fleet, one hostname per line; `-` writes to standard output. Returns the number of hostnames, and the hostnames
 * about which a required fact is unknown.
 */
export async function writeWorldFile(
  world: World,
  { name, ifThere }: Pick<OutputFileOptions, 'name' | 'ifThere'>,
  fleet: AsyncIterable<Facts>,
): Promise<{ readonly count: number; readonly incomplete: readonly Incomplete[] }> {
  const file = await openOutputFile(world, {
    name,
    ifThere,
    isPrivate: true,
    compress: name.endsWith('.gz'),
    ofFolder: { hint: 'Specify a file in the folder.' },
  });
  let count = 0;
  const incomplete: Incomplete[] = [];
  const lines = async function* (): AsyncGenerator<string> {
    for await (const facts of fleet) {
      count += 1;
      incomplete.push(...findIncomplete(facts));
      yield `${JSON.stringify({ version: formatVersions.world, ...facts })}\n`;
    }
  };
  await file.write(lines());
  return { count, incomplete };
}

/**
 * Yields the facts in a world file, hostname by hostname. If entries are invalid, yields no hostname and throws an error that lists the
 * invalid entries.
 */
export async function* readWorldFile(world: World, name: string): AsyncGenerator<Facts> {
  const input = await openBulkInput(world, name);
  try {
    await refuseWrong(world, input);
    for await (const entry of entriesIn(world, input)) if ('facts' in entry) yield entry.facts;
  } finally {
    await input.close();
  }
}

const newerWorld = { code: 'invalid-input', hint: 'Upgrade edgectl; nothing was sent.' } as const;

/** An entry in the file: the facts, or why the entry is invalid. */
type Entry = { readonly facts: Facts } | { readonly fault: string };

async function* entriesIn(world: World, input: BulkInput): AsyncGenerator<Entry> {
  const found: Entry[] = [];
  const elements = new JsonElements(input.name, maxEntryBytes, (buffer, start, end) => {
    const text = buffer.toString('utf8', start, end);
    const version = findVersion(text);
    if (isNewer('world', version)) throw newerFormatProblem('world', input.name, version, newerWorld);
    found.push(entryIn(text));
  });
  for await (const chunk of input.chunks()) {
    world.interrupted.throwIfAborted();
    elements.push(chunk);
    yield* found.splice(0);
  }
  elements.end();
  yield* found.splice(0);
}

async function refuseWrong(world: World, input: BulkInput): Promise<void> {
  const wrong: { readonly index: number; readonly reason: string }[] = [];
  let faults = 0;
  let index = 0;
  for await (const entry of entriesIn(world, input)) {
    if ('fault' in entry) {
      faults += 1;
      if (wrong.length < maxWrongEntries) wrong.push({ index, reason: entry.fault });
    }
    index += 1;
  }
  if (index === 0) throw new Problem('invalid-input', `${input.name} contains no hostnames.`);
  if (faults === 0) return;
  const lines = wrong.slice(0, maxShown).map(({ index: at, reason }) => `entry ${at + 1}: ${reason}`);
  const more = faults - lines.length;
  const message =
    faults === 1
      ? `${input.name}, ${lines[0]}.`
      : [
          `${groupDigits(faults)} of ${groupDigits(index)} entries in ${input.name} are invalid; nothing was sent:`,
          ...lines.map((line) => `  ${line}`),
          ...(more > 0 ? [`  … and ${groupDigits(more)} more`] : []),
        ].join('\n');
  throw new Problem('invalid-input', message, { remedy: { kind: 'export-world' }, wrong });
}

/** Maximum number of invalid entries that the message lists. */
const maxShown = 20;

/** Number of hostnames per request. The body of a request is then a few hundred kilobytes long. */
const page = 200;

/**
 * Loads the facts about a fleet into a sandbox. Throws for any other platform. Returns the number of hostnames, and the zone that contains
 * them.
 */
export async function loadWorld(
  session: Session,
  fleet: AsyncIterable<Facts>,
): Promise<{ readonly zone: string; readonly count: number }> {
  if (!(await readPlatformInfo(session)).sandbox) {
    throw new Problem('refused', 'Only a sandbox can import a world.', {
      hint: 'Choose a profile for a sandbox.',
    });
  }
  let zone = '';
  let count = 0;
  let waiting: Facts[] = [];
  const send = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const call = changing('POST', ['sandbox', 'world'], waiting);
    ({ zone } = (await callResult(session.send, call, (value) => v.parse(loadedShape, value))).result);
    count += waiting.length;
    waiting = [];
  };
  for await (const facts of fleet) {
    waiting.push(facts);
    if (waiting.length === page) await send();
  }
  await send();
  return { zone, count };
}

const loadedShape = v.object({ zone: v.string(), imported: v.number() });

function entryIn(text: string): Entry {
  try {
    return { facts: parseFacts(JSON.parse(text)) };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? jsonFault(text) : explainShapeFault(error) };
  }
}
