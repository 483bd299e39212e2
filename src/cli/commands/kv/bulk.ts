import { keepHeapSmall } from '../../../heap.ts';
import { Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import { getBulk } from '../../../services/kv/bulk/get.ts';
import { openBulkInput } from '../../../services/kv/bulk/input.ts';
import type { TextValue } from '../../../services/kv/bulk/values.ts';
import { groupDigits } from '../../../text/size.ts';
import { checkConfirm, checkDeleteLimit } from '../../delete-limit.ts';
import { jsonText } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import { type BulkTask, runBulk } from './bulk-command.ts';
import type * as declared from './bulk-declarations.ts';
import { counted, refuseLost } from './bulk-report.ts';
import { clearTask, type DeleteTask } from './clear.ts';
import { openNamespace } from './namespace-choice.ts';

export const putCommand = command<typeof declared.bulkPut>({
  async run(context, { args, flags }) {
    const namespace = await openNamespace(context, flags);
    return runBulk(context, {
      namespace,
      operation: 'bulk put',
      flags,
      anyKey: flags['any-key'],
      file: args.FILENAME,
      open: () => openBulkInput(context.world, args.FILENAME),
    });
  },
});

export const deleteCommand = command<typeof declared.bulkDelete>({
  async run(context, { args, flags }) {
    const file = args.FILENAME;
    if ((file === undefined) === (flags.prefix === undefined)) throw fileOrPrefix(file !== undefined);
    if (flags.prefix === '') throw emptyPrefix();
    checkConfirm(flags.confirm, file === undefined, flags['dry-run']);
    checkDeleteLimit(flags, file === undefined && !flags['dry-run']);
    const namespace = await openNamespace(context, flags);
    const task = { namespace, operation: 'bulk delete', flags, anyKey: true, file } as const;
    return file === undefined
      ? runBulk(context, await clearTask(context, task, flags.prefix ?? ''))
      : runBulk(context, fileTask(context, task, file));
  },
});

function fileOrPrefix(both: boolean): Problem {
  return new Problem(
    'usage',
    both
      ? 'FILENAME and --prefix cannot be used together.'
      : 'No keys to delete: specify FILENAME or --prefix.',
    { hint: 'edgectl kv bulk delete --help' },
  );
}

/** Returns the error for an empty prefix, which matches every key and is probably an unset variable in a script. */
function emptyPrefix(): Problem {
  return new Problem('usage', '--prefix is empty, which matches every key in the namespace.', {
    hint: 'To delete all keys: edgectl kv namespace clear',
  });
}

function fileTask(context: Context, task: DeleteTask, file: string): BulkTask {
  const { session, id } = task.namespace;
  return {
    ...task,
    open: () => openBulkInput(context.world, file),
    confirm: async (keys, { name }) => {
      await context.ask.confirm(
        `Delete the ${counted(keys, 'key')} in ${name} from namespace id ${id} on ${session.label}?`,
        `The ${counted(keys, 'key')} in ${name} would be deleted from namespace id ${id}.`,
        'yes',
      );
    },
  };
}

export const getCommand = command<typeof declared.bulkGet>({
  async run(context, { args, flags }) {
    keepHeapSmall();
    const { world, output } = context;
    const { session, id } = await openNamespace(context, flags);
    const display = openProgress(world, output, flags.quiet || output.isTerminal);
    const input = await openBulkInput(world, args.FILENAME);
    // Escapes are needed only on a terminal. Escaping long non-ASCII values would take most of the time.
    const toText = output.isTerminal ? jsonText : JSON.stringify;
    let count = 0;
    let missing = 0;
    const lost = new Samples();
    try {
      for await (const group of getBulk({ session, namespaceId: id, lost }, input, display)) {
        const rows = group.map(({ item, value }) => `  ${toText(item)}: ${toText(shownValue(value))}`);
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
    if (missing > 0)
      output.note(`${groupDigits(missing)} of ${counted(count, 'key')} did not exist.`, { missing });
    refuseLost(lost);
  },
});

function shownValue(value: TextValue | undefined): unknown {
  if (value === undefined) return null;
  return value.base64 === true ? { base64: value.value } : value.value;
}
