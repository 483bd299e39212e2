import type { ProxyAnswer } from '../../support/proxy.ts';
import { type CommandLine, titleOf } from './command-lines.ts';
import { type Fault, isEnvelope, type Kind } from './fault.ts';
import { fieldsOf } from './fields.ts';

/** A place that a command asks, and the answer that it rightly has there. */
export interface FaultSpot {
  readonly place: string;
  readonly right: ProxyAnswer;
}

/** One run: a fault that strikes at a place, and flags. */
export interface FaultCase extends FaultSpot {
  readonly fault: Fault;
  readonly json: boolean;
}

/** Which scenes a command line plays; `index` is its number among all lines. */
export type Script = (places: readonly FaultSpot[], index: number, line: CommandLine) => readonly FaultCase[];

/** All scenes of several scripts. */
export function together(...scripts: readonly Script[]): Script {
  return (...about) => scripts.flatMap((script) => script(...about));
}

/** Of each kind one fault, at one place of the line: which ones goes round from line to line. */
export function dealt(kinds: readonly Kind[]): Script {
  return (places, index) =>
    kinds.flatMap((kind, at) => {
      const fault = kind.faults[(index + at) % kind.faults.length] ?? kind.faults[0];
      const concerned = concernedBy(fault, places);
      const chosen = concerned[(index + at) % Math.max(concerned.length, 1)];
      return chosen === undefined ? [] : [{ fault, ...chosen, json: (index + at) % 2 === 1 }];
    });
}

/** One of the kinds, another for the next line: for what is met below all commands, in one place of the program. */
export function inTurn(kinds: readonly Kind[]): Script {
  return (places, index, line) => {
    const kind = kinds[index % kinds.length];
    const round = Math.floor(index / kinds.length);
    return kind === undefined ? [] : dealt([kind])(places, round, line);
  };
}

/** Every fault of every kind at every place. */
export function whole(kinds: readonly Kind[]): Script {
  return (places, index) =>
    kinds.flatMap(({ faults }) =>
      faults.flatMap((fault, at) =>
        concernedBy(fault, places).map((chosen) => ({ fault, ...chosen, json: (index + at) % 2 === 1 })),
      ),
    );
}

/** One of so many scenes of each line, beginning with another one for each. */
export function sampled(script: Script, every: number): Script {
  return (places, index, line) => script(places, index, line).filter((_, at) => (index + at) % every === 0);
}

/** All scenes for the first line of a command, and one of so many for its other lines. */
export function sampledBehindFirst(script: Script, every: number): Script {
  const first = new Map<string, number>();
  return (places, index, line) => {
    if (!first.has(line.words)) first.set(line.words, index);
    const chosen = first.get(line.words) === index ? script : sampled(script, every);
    return chosen(places, index, line);
  };
}

function concernedBy(fault: Fault, places: readonly FaultSpot[]): readonly FaultSpot[] {
  return places.filter(({ right, place }) => fault.concerns?.(right, place) ?? true);
}

/** Every field of every answer with every wrong value. */
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
 * Fields of answers with one wrong value, which goes round. The first command that asks a route meets every field of it
 * once, each other one a quarter of them. The soak plays more.
 */
export function eachFieldOnce(): Script {
  const played = new Set<string>();
  return (places, index, { words }) =>
    places
      .filter(({ right }) => isEnvelope(right))
      .flatMap(({ place, right }) => {
        const route = place.replaceAll(ids, 'id');
        const isNew = (reader: string, name: string): boolean => {
          const field = `${reader}: ${route}: ${name}`;
          return !played.has(field) && played.add(field) !== undefined;
        };
        return fieldsOf(String(right.body)).flatMap(({ name, faults }, at) => {
          const fault = faults[(index + at) % faults.length];
          const json = (index + at) % 2 === 1;
          const isFirst = isNew('anyone', name);
          const isPlayed = isNew(words, name) && (isFirst || (index + at) % 4 === 0);
          return fault !== undefined && isPlayed ? [{ fault, place, right, json }] : [];
        });
      });
}

/** What an answer is read by: a command line that begins so, and a place that it asks. */
export type Way = readonly [begin: string, place: RegExp];

/** One fault of the kinds for each way of reading an answer: of a line that asks there, the first one. */
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
