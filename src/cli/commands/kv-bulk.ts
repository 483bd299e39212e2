import { openBulkJob } from '../../services/bulk.ts';
import { getBulk } from '../../services/bulk-get.ts';
import { openBulkInput } from '../../services/bulk-input.ts';
import type { TextValue } from '../../services/bulk-values.ts';
import { type Context, command, type FlagValues } from '../command.ts';
import { namespaceFlags, placeFlags } from '../flags.ts';
import { jsonText } from '../output.ts';
import { openProgress } from '../progress.ts';
import { concludeBulk, counted, resumeArguments, resumeCommand } from './bulk-report.ts';
import { openNamespace } from './namespace-choice.ts';

const runFlags = {
  resume: { kind: 'boolean', about: 'Go on where an interrupted run of the same input stopped' },
  'skip-invalid': { kind: 'boolean', about: 'Leave wrong entries out instead of refusing the file' },
} as const;

const fileNotes = [
  'FILENAME is a JSON array or NDJSON (one entry a line), may be compressed with gzip, and - is standard input.',
  'Every entry is checked before the first one is sent. Of several entries with one key the last wins.',
];

export const putCommand = command({
  arguments: { FILENAME: { about: 'File of entries: key, value, and optionally metadata, expiry, base64' } },
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
  ],
  notes: fileNotes,
  run: (context, { args, flags }) => runBulk(context, args.FILENAME, { ...flags, operation: 'bulk put' }),
});

export const deleteCommand = command({
  arguments: { FILENAME: { about: 'File of keys: texts, or objects with a name as key list prints' } },
  flags: { ...namespaceFlags, ...placeFlags, ...runFlags },
  examples: [
    ['kv bulk delete keys.json --binding KV', 'asks, then deletes'],
    [
      'kv key list --binding KV --prefix tmp: | edgectl kv bulk delete - --binding KV --yes',
      'what a list gives',
    ],
  ],
  notes: fileNotes,
  run: (context, { args, flags }) =>
    runBulk(context, args.FILENAME, { ...flags, 'any-key': true, operation: 'bulk delete' }),
});

type RunFlags = FlagValues<typeof namespaceFlags & typeof placeFlags & typeof runFlags> & {
  readonly 'any-key': boolean;
  readonly quiet: boolean;
  readonly operation: 'bulk put' | 'bulk delete';
};

async function runBulk(context: Context, file: string, flags: RunFlags): Promise<number | undefined> {
  const { world, output } = context;
  const { session, id } = await openNamespace(context, flags);
  const display = openProgress(world, output, flags.quiet);
  const input = await openBulkInput(world, file);
  try {
    const job = await openBulkJob(session, id, input, {
      operation: flags.operation,
      anyKey: flags['any-key'],
      skipInvalid: flags['skip-invalid'],
      resume: flags.resume,
      resumeArguments: resumeArguments(world.argv),
      watch: display,
    });
    display.end();
    if (flags.operation === 'bulk delete') {
      const keys = counted(job.entries - job.survey.faults.count, 'key');
      await context.ask.confirm(
        `Delete the ${keys} in ${input.name} from namespace id ${id} on ${session.label}?`,
        `The ${keys} in ${input.name} would be deleted from namespace id ${id}.`,
        'yes',
      );
    }
    const report = await job.run();
    display.end();
    const resume = resumeCommand(world.argv, file);
    return await concludeBulk(context, { session, id, operation: flags.operation, resume }, report);
  } finally {
    display.end();
    await input.close();
  }
}

export const getCommand = command({
  arguments: { FILENAME: { about: 'File of keys: texts, or objects with a name as key list prints' } },
  flags: { ...namespaceFlags, ...placeFlags },
  examples: [
    ['kv bulk get keys.json --binding KV', 'a JSON object of key and value'],
    ['kv key list --binding KV --prefix user: | edgectl kv bulk get - --binding KV', 'what a list gives'],
  ],
  notes: [
    'The answer is one JSON object: {"key": "value"}. A key that does not exist has null; a value that is not UTF-8 is {"base64": "…"}.',
    'For entries that kv bulk put takes back, with metadata and expiry, use kv export.',
    ...fileNotes.slice(0, 1),
  ],
  async run(context, { args, flags }) {
    const { world, output } = context;
    const { session, id } = await openNamespace(context, flags);
    const display = openProgress(world, output, flags.quiet || output.isTerminal);
    const input = await openBulkInput(world, args.FILENAME);
    let count = 0;
    let missing = 0;
    try {
      for await (const group of getBulk(session, id, input, display)) {
        const rows = group.map(({ item, value }) => `  ${jsonText(item)}: ${jsonText(shownValue(value))}`);
        missing += group.filter(({ value }) => value === undefined).length;
        if (rows.length > 0) await output.answer((count === 0 ? '{\n' : ',\n') + rows.join(',\n'));
        count += rows.length;
      }
      await output.answer(count === 0 ? '{}\n' : '\n}\n');
    } finally {
      display.end();
      await input.close();
    }
    if (missing > 0) output.note(`${counted(missing, 'key')} of ${count} did not exist.`, { missing });
  },
});

function shownValue(value: TextValue | undefined): unknown {
  if (value === undefined) return null;
  return value.base64 === true ? { base64: value.value } : value.value;
}
