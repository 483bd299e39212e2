import { namespaceName } from '../../../model/kv/kv.ts';
import { Deletion } from '../../../services/deletions.ts';
import { collectKeys } from '../../../services/kv/bulk/clear.ts';
import { readNamespace } from '../../../services/kv/namespaces.ts';
import { isConfirmed } from '../../confirmed-deletion.ts';
import { massDeleteFlags } from '../../delete-limit.ts';
import { type Context, command } from '../../parsing/command.ts';
import { type BulkTask, runBulk } from './bulk-command.ts';
import { counted } from './bulk-report.ts';
import type * as declared from './declarations.ts';
import { openNamespace } from './namespace-choice.ts';

export const clearCommand = command<typeof declared.namespaceClear>({
  async run(context, { flags }) {
    const namespace = await openNamespace(context, flags);
    const task: DeleteTask = {
      namespace,
      operation: 'bulk delete',
      flags: { ...flags, resume: false, 'skip-invalid': false, 'batch-size': undefined },
      anyKey: true,
      file: undefined,
    };
    return runBulk(context, await clearTask(context, task, ''));
  },
});

/** The fields of a task that deletes keys, except its input and its confirmation. */
export type DeleteTask = Omit<BulkTask, 'open' | 'confirm' | 'flags'> & {
  readonly flags: BulkTask['flags'] & { readonly confirm?: string | undefined };
};

/**
 * Returns the task that deletes all keys, or all keys with a prefix. To confirm, the user must type the namespace's title, unless `--yes`
 * or the hash of a dry run confirms.
 */
export async function clearTask(context: Context, task: DeleteTask, prefix: string): Promise<BulkTask> {
  const { session, id } = task.namespace;
  const { confirm } = task.flags;
  const deletion = prefix === '' ? undefined : new Deletion(['kv bulk delete', session.label, id, prefix]);
  return {
    ...task,
    deletion,
    open: (display) => collectKeys(session, id, prefix, display, (key) => deletion?.add(key)),
    confirm: async (count) => {
      if (deletion !== undefined && isConfirmed(context.world, confirm, deletion)) return;
      // The title is needed only for the confirmation: a token that cannot read namespaces can still delete keys.
      if (context.ask.isAnswered) return;
      const namespace = await readNamespace(session, id);
      const name = namespaceName(namespace);
      const which = prefix === '' ? '' : ` that ${count === 1 ? 'starts' : 'start'} with "${prefix}"`;
      const keys = `${counted(count, 'key')}${which}`;
      return context.ask.confirmTyped(
        `Delete ${keys} from namespace ${name} on ${session.label}? Type the title to confirm:`,
        `${keys} would be deleted from namespace ${name}.`,
        namespace.title,
        prefix === '' ? undefined : massDeleteFlags(count),
      );
    },
  };
}
