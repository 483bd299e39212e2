import * as v from 'valibot';
import { type OutputFileOptions, openOutputFile } from '../../files/output-file.ts';
import type { Facts } from '../../model/diagnosis/facts.ts';
import { parseFacts } from '../../model/diagnosis/facts-shape.ts';
import { Problem } from '../../model/problem.ts';
import { shapeFault } from '../../model/shape-fault.ts';
import { JsonElements } from '../../text/json-elements.ts';
import { jsonFault } from '../../text/json-fault.ts';
import { callResult } from '../../v4/client.ts';
import type { World } from '../../world.ts';
import { changing } from '../hostnames/calls.ts';
import { openBulkInput } from '../kv/bulk/input.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type Incomplete, incompleteOf } from './forecast.ts';

/** Most bytes of the facts about one hostname. */
const longestEntry = 4 * 1024 * 1024;

/** Writes the facts about a fleet, one hostname a line; `-` is standard output. Returns how many, and of how many a needed fact is not known. */
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
    ofFolder: { hint: 'Name a file in it.' },
  });
  let count = 0;
  const incomplete: Incomplete[] = [];
  const lines = async function* (): AsyncGenerator<string> {
    for await (const facts of fleet) {
      count += 1;
      incomplete.push(...incompleteOf(facts));
      yield `${JSON.stringify(facts)}\n`;
    }
  };
  await file.write(lines());
  return { count, incomplete };
}

/** Reads the facts of such a file, hostname by hostname. Refuses a line that is not what was written, with its number. */
export async function* readWorldFile(world: World, name: string): AsyncGenerator<Facts> {
  const input = await openBulkInput(world, name);
  try {
    const found: Facts[] = [];
    let line = 0;
    const elements = new JsonElements(input.name, longestEntry, (buffer, start, end) => {
      line += 1;
      found.push(factsAt(input.name, line, buffer.toString('utf8', start, end)));
    });
    for await (const chunk of input.chunks()) {
      world.interrupted.throwIfAborted();
      elements.push(chunk);
      yield* found.splice(0);
    }
    elements.end();
    yield* found.splice(0);
    if (line === 0) throw new Problem('invalid-input', `${input.name} holds no hostname.`);
  } finally {
    await input.close();
  }
}

/** Facts in one request: some hundred kilobytes. */
const page = 200;

/** Loads the facts about a fleet into a sandbox. Refuses a real platform. Returns how many hostnames, and of which zone. */
export async function loadWorld(
  session: Session,
  fleet: AsyncIterable<Facts>,
): Promise<{ readonly zone: string; readonly count: number }> {
  if (!(await readPlatformInfo(session)).sandbox) {
    throw new Problem('refused', 'Only a sandbox takes a world in.', {
      hint: 'Choose the profile of a sandbox.',
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

function factsAt(name: string, line: number, text: string): Facts {
  try {
    return parseFacts(JSON.parse(text));
  } catch (error) {
    const fault = error instanceof SyntaxError ? jsonFault(text) : shapeFault(error);
    throw new Problem('invalid-input', `${name}, entry ${line}: ${fault}.`, {
      remedy: { kind: 'export-world' },
      cause: error,
      wrong: [{ index: line - 1, reason: fault }],
    });
  }
}
