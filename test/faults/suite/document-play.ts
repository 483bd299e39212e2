import { commandTable } from '../../../src/cli/commands/table.ts';
import { type CommandLine, commandLines, titleOf } from './command-lines.ts';
import { type ChooseState, documentedRoute, mockAnswer, optionalFields } from './document-mock.ts';
import type { FaultRunner } from './fault-runner.ts';
import { reply } from './faulty-server.ts';

/** The command lines of commands that only read. */
export const readingLines = commandLines.filter(
  ({ words }) => commandTable.find((row) => row.words === words)?.effect === 'read',
);

/** Returns the documented routes that a command line calls, with the optional fields of each route. */
export async function documentedFields(
  runner: FaultRunner,
  line: CommandLine,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { exchanges } = await runner.record(line);
  const routes = exchanges.flatMap(({ passing }) => documentedRoute(passing) ?? []);
  return new Map([...new Set(routes)].map((route) => [route, optionalFields(route)]));
}

/**
 * Fields that the document makes optional and a command needs. Each of these fields confirms a result, so a command must not accept an
 * answer without the field: `{"success":true}` alone is not an empty list, and an object without a size is not an empty object.
 */
export const neededFields: Readonly<Record<string, string>> = {
  result:
    'an answer without a result confirms nothing, but `kv diff`, `sync` and `record` would treat it as empty',
  'result.values': 'an answer of `bulk/get` without values confirms nothing',
  'result.hold': 'without the field, it is unknown whether the zone is held',
  'result.origin':
    'the fallback origin itself: null means none, and exit 3; an object without it says neither that there is one nor that there is none',
  'result.name': 'the name of the requested bucket',
  'result.buckets[].name': 'the name that every other command needs for the bucket',
  'result[].id': 'the name of a worker, or the id that every other command needs for a record',
  'result[].key': 'the key that every other command needs for the object',
  'result[].size': 'copies and syncs compare it',
  'result[].etag': 'copies and syncs compare it',
  'result[].last_modified': 'syncs, and filters by age, compare this field',
};

/** The exit code of a check that found a fault. It is allowed here, because the mock's data can change the result of a diagnosis. */
const found = 7;

/**
 * Runs a command line with the mock. Returns a description of the failure if the exit code differs from the exit code without the mock;
 * otherwise undefined.
 */
export async function playDocument(
  runner: FaultRunner,
  line: CommandLine,
  choose: (route: string) => ChooseState,
): Promise<string | undefined> {
  const { ran: usual } = await runner.record(line);
  const { ran } = await runner.perform(line, {
    misbehave({ passing, right, response }) {
      const route = documentedRoute(passing);
      reply(response, route === undefined ? right : mockAnswer(passing, route, right, choose(route)));
    },
  });
  if ([usual.code, 0, found].includes(ran.code)) return undefined;
  return `${titleOf(line)}: exit ${ran.code}, ${ran.err.split('\n', 1)[0]}`;
}
