import { Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import { getBulk } from '../../../services/kv/bulk/get.ts';
import { openBulkInput } from '../../../services/kv/bulk/input.ts';
import type { TextValue } from '../../../services/kv/bulk/values.ts';
import { jsonText } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import { namespaceFlags, placeFlags } from '../../parsing/flags.ts';
import { keepHeapSmall } from '../../small-heap.ts';
import { type BulkTask, runBulk, runFlags } from './bulk-command.ts';
import { counted, refuseLost } from './bulk-report.ts';
import { clearTask, type DeleteTask } from './clear.ts';
import { openNamespace } from './namespace-choice.ts';

const fileNotes = [
  'FILENAME is a JSON array or NDJSON (one entry a line), may be compressed with gzip, and - is standard input.',
  'A file without anything in it is refused, because what should have written it has most likely failed; an empty array is no fault.',
  'Every entry is checked before the first one is sent. Of several entries with one key the last wins.',
];

export const putCommand = command({
  arguments: {
    FILENAME: { kind: 'path', about: 'File of entries: key, value, and optionally metadata, expiry, base64' },
  },
  flags: {
    ...namespaceFlags,
    ...placeFlags,
    ...runFlags,
    'any-key': { kind: 'boolean', about: 'Allow white space and unprintable characters in keys' },
  },
  examples: [
    ['kv bulk put entries.json --binding KV', `'[{"key":"a","value":"1"}]'`],
    ['kv bulk put - --binding KV --local', 'entries from standard input'],
    ['kv bulk put big.ndjson.gz --binding KV --resume', 'go on after an interruption'],
    ['kv bulk put entries.json --binding KV --dry-run --verbose', 'what would be created and changed'],
  ],
  notes: fileNotes,
  async run(context, { args, flags }) {
    const place = await openNamespace(context, flags);
    return runBulk(context, {
      place,
      operation: 'bulk put',
      flags,
      anyKey: flags['any-key'],
      file: args.FILENAME,
      open: () => openBulkInput(context.world, args.FILENAME),
    });
  },
});

export const deleteCommand = command({
  arguments: {
    FILENAME: {
      kind: 'path',
      about: 'File of keys: texts, or objects with a name as key list prints; or --prefix instead',
      optional: true,
    },
  },
  flags: {
    ...namespaceFlags,
    ...placeFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Delete every key that starts with this' },
    ...runFlags,
  },
  examples: [
    ['kv bulk delete keys.json --binding KV', 'asks, then deletes'],
    [
      'kv key list --binding KV --prefix tmp: | edgectl kv bulk delete - --binding KV --yes',
      'what a list gives',
    ],
    ['kv bulk delete --prefix tmp: --binding KV', 'asks with the count, then deletes'],
  ],
  notes: fileNotes,
  async run(context, { args, flags }) {
    const file = args.FILENAME;
    if ((file === undefined) === (flags.prefix === undefined)) throw fileOrPrefix(file !== undefined);
    if (flags.prefix === '') throw emptyPrefix();
    const place = await openNamespace(context, flags);
    const task = { place, operation: 'bulk delete', flags, anyKey: true, file } as const;
    return file === undefined
      ? runBulk(context, await clearTask(context, task, flags.prefix ?? ''))
      : runBulk(context, fileTask(context, task, file));
  },
});

function fileOrPrefix(both: boolean): Problem {
  return new Problem(
    'usage',
    both
      ? 'Both a FILENAME and --prefix are given; the keys come from one of them.'
      : 'No keys are named: give a FILENAME, or --prefix.',
    { hint: 'edgectl kv bulk delete --help' },
  );
}

/** In a script, an unset variable: it would be every key. */
function emptyPrefix(): Problem {
  return new Problem('usage', '--prefix is empty: that would be every key of the namespace.', {
    hint: 'To delete them all: edgectl kv namespace clear',
  });
}

function fileTask(context: Context, task: DeleteTask, file: string): BulkTask {
  const { session, id } = task.place;
  return {
    ...task,
    open: () => openBulkInput(context.world, file),
    confirm: (keys, { name }) =>
      context.ask.confirm(
        `Delete the ${counted(keys, 'key')} in ${name} from namespace id ${id} on ${session.label}?`,
        `The ${counted(keys, 'key')} in ${name} would be deleted from namespace id ${id}.`,
        'yes',
      ),
  };
}

export const getCommand = command({
  arguments: {
    FILENAME: { kind: 'path', about: 'File of keys: texts, or objects with a name as key list prints' },
  },
  flags: { ...namespaceFlags, ...placeFlags },
  examples: [
    ['kv bulk get keys.json --binding KV', 'a JSON object of key and value'],
    ['kv key list --binding KV --prefix user: | edgectl kv bulk get - --binding KV', 'what a list gives'],
  ],
  notes: [
    'The answer is one JSON object: {"key": "value"}. A key that does not exist has null; a value that is not UTF-8 is {"base64": "…"}.',
    'For entries that kv bulk put takes back, with metadata and expiry, use kv export.',
    ...fileNotes.slice(0, 2),
  ],
  async run(context, { args, flags }) {
    keepHeapSmall();
    const { world, output } = context;
    const { session, id } = await openNamespace(context, flags);
    const display = openProgress(world, output, flags.quiet || output.isTerminal);
    const input = await openBulkInput(world, args.FILENAME);
    // Only a terminal needs escapes; they would take most of the time of long values that are not ASCII.
    const textOf = output.isTerminal ? jsonText : JSON.stringify;
    let count = 0;
    let missing = 0;
    const lost = new Samples();
    try {
      for await (const group of getBulk({ session, namespaceId: id, lost }, input, display)) {
        const rows = group.map(({ item, value }) => `  ${textOf(item)}: ${textOf(shownValue(value))}`);
        missing += group.filter(({ value }) => value === undefined).length;
        if (rows.length > 0) await output.answer((count === 0 ? '{\n' : ',\n') + rows.join(',\n'));
        count += rows.length;
      }
      await output.answer(count === 0 ? '{}\n' : '\n}\n');
    } finally {
      display.end();
      await input.close();
    }
    missing -= lost.count;
    if (missing > 0) output.note(`${counted(missing, 'key')} of ${count} did not exist.`, { missing });
    refuseLost(lost);
  },
});

function shownValue(value: TextValue | undefined): unknown {
  if (value === undefined) return null;
  return value.base64 === true ? { base64: value.value } : value.value;
}
