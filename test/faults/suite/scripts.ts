import type { ProxyAnswer } from '../../support/proxy.ts';
import { type CommandLine, titleOf } from './command-lines.ts';
import { type Fault, isEnvelope, type Kind } from './fault.ts';
import { fieldsOf } from './fields.ts';

/** A request of a command (method and path), and the correct answer. */
export interface FaultSpot {
  readonly place: string;
  readonly right: ProxyAnswer;
}

/** One run: a fault at a request, and flags. */
export interface FaultCase extends FaultSpot {
  readonly fault: Fault;
  readonly json: boolean;
}

/** Selects the scenes of a command line; `index` is the position of the line among all lines. */
export type Script = (places: readonly FaultSpot[], index: number, line: CommandLine) => readonly FaultCase[];

/** Combines the scenes of several scripts. */
export function together(...scripts: readonly Script[]): Script {
  return (...about) => scripts.flatMap((script) => script(...about));
}

/** Selects one fault of each kind at one request of the line; the selection rotates from line to line. */
export function dealt(kinds: readonly Kind[]): Script {
  return (places, index) =>
    kinds.flatMap((kind, at) => {
      const fault = kind.faults[(index + at) % kind.faults.length] ?? kind.faults[0];
      const concerned = concernedBy(fault, places);
      const chosen = concerned[(index + at) % Math.max(concerned.length, 1)];
      return chosen === undefined ? [] : [{ fault, ...chosen, json: (index + at) % 2 === 1 }];
    });
}

/** Selects one of the kinds, in rotation from line to line, for code that all commands share. */
export function inTurn(kinds: readonly Kind[]): Script {
  return (places, index, line) => {
    const kind = kinds[index % kinds.length];
    const round = Math.floor(index / kinds.length);
    return kind === undefined ? [] : dealt([kind])(places, round, line);
  };
}

/** Selects every fault of every kind at every request. */
export function whole(kinds: readonly Kind[]): Script {
  return (places, index) =>
    kinds.flatMap(({ faults }) =>
      faults.flatMap((fault, at) =>
        concernedBy(fault, places).map((chosen) => ({ fault, ...chosen, json: (index + at) % 2 === 1 })),
      ),
    );
}

/** Selects one in `every` scenes of each line, with a different start for each line. */
export function sampled(script: Script, every: number): Script {
  return (places, index, line) => script(places, index, line).filter((_, at) => (index + at) % every === 0);
}

/** Selects one in `first` scenes for the first line of a command, and one in `others` for the other lines. */
export function sampledByLine(script: Script, { first, others }: { first: number; others: number }): Script {
  const firsts = new Map<string, number>();
  const ofFirst = sampled(script, first);
  const ofOthers = sampled(script, others);
  return (places, index, line) => {
    if (!firsts.has(line.words)) firsts.set(line.words, index);
    const chosen = firsts.get(line.words) === index ? ofFirst : ofOthers;
    return chosen(places, index, line);
  };
}

function concernedBy(fault: Fault, places: readonly FaultSpot[]): readonly FaultSpot[] {
  return places.filter(({ right, place }) => fault.concerns?.(right, place) ?? true);
}

/** Selects every field of every answer with every wrong value. */
export const everyField: Script = (places, index) =>
  places
    .filter(({ right }) => isEnvelope(right))
    .flatMap(({ place, right }) =>
      fieldsOf(String(right.body))
        .flatMap(({ faults }) => faults)
        .map((fault, at) => ({ fault, place, right, json: (index + at) % 2 === 1 })),
    );

const ids = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Returns the subject of an answer, which is the path without ids, because an item and a list of items have the same fields. Reads and
 * writes have different subjects.
 */
function thingAt(place: string): string {
  const path = place.replaceAll(ids, 'id').replaceAll('/id', '');
  return path.startsWith('GET ') ? path : path.replace(/^\S+/, 'write');
}

const ofOne = (field: string): string => field.replace(/^result\.0\b/, 'result');

/**
 * Selects fields of answers, each with one wrong value, in rotation. The first command that reads a subject gets every field of the subject
 * once, other commands only a fraction of the fields. The soak tests cover more.
 */
export function eachFieldOnce(ofOthers: number): Script {
  const played = new Set<string>();
  const isNew = (field: string): boolean => !played.has(field) && played.add(field) !== undefined;
  return (places, index, { words }) =>
    places
      .filter(({ right }) => isEnvelope(right))
      .flatMap(({ place, right }) =>
        fieldsOf(String(right.body)).flatMap(({ name, faults }, at) => {
          const fault = faults[(index + at) % faults.length];
          const json = (index + at) % 2 === 1;
          const isFirst = isNew(`${thingAt(place)}: ${ofOne(name)}`);
          const isPlayed = isNew(`${words}: ${place.replaceAll(ids, 'id')}: ${name}`);
          const isDue = isPlayed && (isFirst || (index + at) % ofOthers === 0);
          return fault !== undefined && isDue ? [{ fault, place, right, json }] : [];
        }),
      );
}

/** A way of reading an answer: the start of a command line, and a request of this command. */
export type Way = readonly [begin: string, place: RegExp];

/** Selects one fault of each kind for each way of reading an answer, on the first command line that sends the request. */
export function eachWay(ways: readonly Way[], kinds: readonly Kind[]): Script {
  const faults = kinds.flatMap((kind) => kind.faults);
  const played = new Set<Way>();
  return (places, _, line) =>
    ways.flatMap((way, at) => {
      const [begin, where] = way;
      const isSo = titleOf(line).startsWith(begin);
      const chosen = isSo ? places.find(({ place }) => where.test(place)) : undefined;
      const fault = faults[at % faults.length];
      if (chosen === undefined || fault === undefined || played.has(way)) return [];
      played.add(way);
      return [{ fault, ...chosen, json: at % 2 === 1 }];
    });
}
