import type { KeyEntry } from '../../src/model/kv/kv.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { Target } from '../../src/model/target.ts';
import type { TaskWork } from '../../src/model/tasks/task.ts';
import { namespaceAddress } from '../../src/services/kv/bulk/bulk.ts';
import { findNamespace } from '../../src/services/kv/find-namespace.ts';
import { groupDigits } from '../../src/text/size.ts';
import { starting } from '../kit/keys/busy.ts';
import {
  type FormValues,
  formDialog,
  type PaneOutcome,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { isTypedName, typedFormLines } from '../ui/forms/typed-name.ts';
import { countHiddenMarks, markedNames } from '../ui/lists/marks.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { type ExportFile, exportForm } from './export-form.ts';
import { readTtl, ttlField } from './key-forms.ts';
import type { NamespacePane } from './key-work.ts';

type Keys = PagedList<KeyEntry>;

/** For this many keys or more, the user must type the namespace's title before they are deleted. */
const many = 100;

/** Asks before deleting marked keys. */
export function removeMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const { title, id } = pane.namespace;
  const names = markedNames(list);
  const hidden = hiddenLines(countHiddenMarks(list));
  const asked = `Delete ${formatKeys(names)} of ${title}`;
  const warning = 'Their values, expiry and metadata are lost. There is no undo.';
  const work = { does: 'delete-keys', namespace: pane.namespace } as const;
  const remove = task(work, names, 'Deleting', pane, { unmark: true });
  if (names.length < many) {
    const question = {
      question: `${asked}?`,
      lost: [...hidden, warning, sampleLine(names)],
      danger: 'permanent' as const,
      yes: names.length === 1 ? 'delete it' : 'delete them',
    };
    return { dialog: { kind: 'confirm', question, command: remove } };
  }
  // The last lines stay visible on a small screen.
  const lines = [
    sampleLine(names),
    `Namespace id: ${id}.`,
    ...hidden,
    `${warning} Type the title to delete them.`,
    ...typedFormLines(title),
  ];
  const form = openForm(asked, [{ name: 'title', label: 'Title', value: '' }], lines);
  const dialog = formDialog(
    { ...form, submit: 'delete', danger: 'permanent' },
    (values): Submitted =>
      isTypedName(values['title'], title)
        ? { work: remove }
        : { errors: { title: 'The title does not match.' } },
  );
  return { dialog };
}

/** The form that sets the expiry of marked keys. */
export function expireMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const names = markedNames(list);
  const note = 'From now: seconds, or 90m, 7d, 1h30m; or a date (2026-12-24T18:00, UTC); or "never".';
  const form = openForm(
    names.length === 1 ? 'When does 1 key expire?' : `When do ${formatKeys(names)} expire?`,
    [{ ...ttlField, note }],
    [
      ...hiddenLines(countHiddenMarks(list)),
      'Each value is read and written again: a change that others make in that moment is lost.',
      sampleLine(names),
    ],
  );
  return { dialog: formDialog(form, ({ ttl = '' }) => submitExpiry(ttl, names, pane)) };
}

function submitExpiry(text: string, names: readonly string[], pane: NamespacePane): Submitted {
  const now = pane.parts.world.now();
  const expiry = readTtl(text, 'expire', now);
  if (expiry === 'kept') return { errors: { ttl: 'Give a time, or "never".' } };
  if ('fault' in expiry) return { errors: { ttl: sentence(expiry.fault) } };
  // UNIX seconds, or null for never.
  const expiration =
    expiry.expiration ?? (expiry.ttl === undefined ? null : Math.floor(now / 1000) + expiry.ttl);
  const work = { does: 'expire-keys', namespace: pane.namespace, expiration } as const;
  return { work: task(work, names, 'Setting the expiry of', pane) };
}

/** The form for the file to which marked keys are exported. */
export function exportMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const { namespace } = pane;
  const names = markedNames(list);
  const title = `Export ${formatKeys(names)} of ${namespace.title}`;
  const lines = [
    ...hiddenLines(countHiddenMarks(list)),
    sampleLine(names, 'With values, metadata and expiry: '),
  ];
  const started = (file: ExportFile) =>
    start({ does: 'export-keys', namespace, ...file }, names, 'Exporting', pane);
  return exportForm({ title, lines, start: started }, pane);
}

/** The form for the destination of a copy of marked keys. */
export function copyMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const names = markedNames(list);
  const form = openForm(
    `Copy ${formatKeys(names)} of ${pane.namespace.title}`,
    [
      {
        name: 'to',
        label: 'Namespace',
        value: '',
        note: 'Its title or its id; press Tab to complete it.',
        completes: 'namespace',
      },
      {
        name: 'where',
        label: 'Where',
        value: '',
        note: 'Empty: here. Or production, preview, local, or the name of a profile; press Tab to complete it.',
        completes: 'place',
      },
      {
        name: 'existing',
        label: 'Existing keys',
        value: 'fail',
        choices: [
          { value: 'fail', label: 'fail: copy nothing if one exists' },
          { value: 'skip', label: 'skip existing keys' },
          { value: 'overwrite', label: 'overwrite existing keys' },
        ],
      },
    ],
    [...hiddenLines(countHiddenMarks(list)), sampleLine(names)],
  );
  return {
    dialog: formDialog({ ...form, submit: 'copy' }, (values) => submitCopy(values, names, pane)),
  };
}

/** The destination of a copy, as typed. */
interface Elsewhere {
  readonly target?: Target;
  readonly profile?: string;
}

interface Copy {
  /** Title or id of the namespace in the destination. */
  readonly to: string;
  readonly where: Elsewhere;
  readonly onConflict: 'skip' | 'overwrite' | 'fail';
}

function submitCopy(values: FormValues, names: readonly string[], pane: NamespacePane): Submitted {
  const { to = '', where = '', existing = '' } = values;
  const onConflict = (['skip', 'overwrite', 'fail'] as const).find((one) => one === existing.trim());
  const errors = {
    ...(to.trim() === '' && { to: 'Name a namespace.' }),
    ...(onConflict === undefined && { existing: 'Pick skip, overwrite or fail.' }),
  };
  if (onConflict === undefined || to.trim() === '') return { errors };
  return { work: copying({ to: to.trim(), where: parseDestination(where.trim()), onConflict }, names, pane) };
}

const targets = ['production', 'preview', 'local'] as const;

/** Without a target, a profile would use the target with which the console was started, perhaps local data. */
function parseDestination(text: string): Elsewhere {
  if (text === '') return {};
  const target = targets.find((one) => one === text);
  return target === undefined ? { profile: text, target: 'production' } : { target };
}

/** Looks up the destination's namespace before starting anything, so that a wrong name is an error in the form. */
function copying({ to, where, onConflict }: Copy, names: readonly string[], pane: NamespacePane): Work {
  const { namespace, parts } = pane;
  const { tasks, session } = parts;
  const here = { target: session.target };
  return {
    busy: { kind: 'reading', words: 'looking up' },
    async run() {
      const found = await tasks
        .visit({ ...here, ...where }, async (there) => {
          const other = await findNamespace(there, to);
          return { other, address: await namespaceAddress(there, other.id) };
        })
        .catch((error: unknown) => {
          if (isProblem(error) && error.code === 'not-found') return { error: error.message };
          throw error;
        });
      if ('error' in found) return { errors: { to: found.error } };
      const address = await tasks.visit(here, (own) => namespaceAddress(own, namespace.id));
      if (address === found.address) return { errors: { to: 'This is their present namespace.' } };
      const there = { ...where, namespace: found.other, place: found.address };
      const work = { does: 'copy-keys', namespace, to: there, onConflict } as const;
      return start(work, names, `Copying to ${found.other.title}:`, pane);
    },
  };
}

function task(
  work: TaskWork,
  names: readonly string[],
  doing: string,
  pane: NamespacePane,
  after: PaneOutcome = {},
): Work {
  return {
    busy: starting,
    run: async () => ({ ...(await start(work, names, doing, pane)), ...after }),
  };
}

async function start(
  work: TaskWork,
  names: readonly string[],
  doing: string,
  { parts }: NamespacePane,
): Promise<PaneOutcome> {
  await parts.tasks.start(work, names);
  return { notice: `${doing} ${formatKeys(names)}. Press 5 to see the task.` };
}

/** `12 keys`. */
function formatKeys({ length }: { readonly length: number }): string {
  return length === 1 ? '1 key' : `${groupDigits(length)} keys`;
}

function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}
