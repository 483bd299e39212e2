import { namespaceJurisdictions } from '../../src/model/jurisdiction.ts';
import type { Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { capitalize } from '../../src/model/sentence.ts';
import type { Target } from '../../src/model/target.ts';
import {
  kvExport,
  kvKeyList,
  kvNamespaceClear,
  kvNamespaceDelete,
  kvNamespaceList,
} from '../../src/services/equivalents/kv.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Change } from '../kit/changes.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting, reading, saving, starting } from '../kit/keys/busy.ts';
import {
  cannotListNamespaces,
  cannotRenameNamespace,
  cannotWriteSelected,
  moveShortcuts,
  noSelection,
} from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { PaneParts } from '../kit/use-console.ts';
import {
  type ActionResult,
  type FormValues,
  formDialog,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { type DialogLine, exampleLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { jurisdictionFault, jurisdictionField } from '../ui/forms/jurisdiction-field.ts';
import { editableName, isTypedName, typedFormLines } from '../ui/forms/typed-name.ts';
import { exportNamespace } from './export-form.ts';
import { importForm } from './import-actions.ts';
import { otherSides, sideItem } from './other-sides.ts';

/** The input of the actions: the selected namespace, and the parts of the pane. */
interface Here {
  readonly namespace: Namespace | undefined;
  readonly parts: PaneParts;
}

/** The actions in the list of namespaces. */
export const namespaceActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'keys',
    helpLabel: 'list the keys',
    about: 'List the keys of the namespace',
    unless: noSelection,
    run: ({ namespace }) => namespace && { opens: { pane: 'keys', namespace } },
    equivalents: ({ namespace }) => (namespace ? [kvKeyList(namespace.id)] : []),
  },
  {
    does: 'create',
    press: ['n'],
    label: 'new',
    helpLabel: 'new namespace',
    about: 'Create a namespace',
    unless: cannotListNamespaces,
    run: ({ parts }) => ({
      dialog: createForm((title, jurisdiction) => creating(title, jurisdiction, parts)),
    }),
  },
  {
    does: 'rename',
    press: ['e'],
    label: 'rename',
    helpLabel: 'change the title',
    about: 'Change the title of the namespace',
    unless: cannotRenameNamespace,
    run: ({ namespace, parts }) =>
      namespace && { dialog: renameForm(namespace, (title) => renaming(namespace, title, parts)) },
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    helpLabel: 'delete namespace',
    about: 'Delete the namespace with all its keys; asks for its title',
    danger: 'permanent',
    unless: cannotWriteSelected,
    run: ({ namespace, parts }) => namespace && findUsesFirst(namespace, parts),
    equivalents: ({ namespace }) => (namespace ? [kvNamespaceDelete(namespace.id)] : []),
  },
  ...filterShortcuts,
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: () => [kvNamespaceList],
  },
  {
    does: 'export',
    press: ['w'],
    label: 'export',
    helpLabel: 'export to a file',
    about: 'Export all keys of the namespace, with metadata and expiry, to a file, as a task',
    unless: noSelection,
    run: ({ namespace, parts }) => namespace && exportNamespace({ namespace, parts }),
    equivalents: ({ namespace }) => (namespace ? [kvExport(namespace.id)] : []),
  },
  {
    does: 'import',
    press: ['i'],
    label: 'import',
    helpLabel: 'import a file',
    about: 'Import a file of entries into the namespace; shows the changes first',
    unless: cannotWriteSelected,
    run: ({ namespace, parts }) => namespace && importForm({ namespace, parts }),
  },
  {
    does: 'clear-keys',
    press: ['ctrl+x'],
    label: 'clear',
    helpLabel: 'delete all keys',
    about: 'Delete all keys, as a task, and keep the namespace; shows their number and asks for the title',
    danger: 'permanent',
    unless: cannotWriteSelected,
    run: ({ namespace, parts }) => namespace && countingKeys(namespace, parts),
    equivalents: ({ namespace }) => (namespace ? [kvNamespaceClear(namespace.id)] : []),
  },
  {
    does: 'compare',
    press: ['='],
    label: 'compare',
    helpLabel: 'compare the keys',
    about: 'Compare the keys of the namespace with its preview, with local data or with another namespace',
    unless: noSelection,
    run: ({ namespace, parts }) => namespace && chooseOther(namespace, parts),
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy id',
    about: 'Copy the id of the namespace',
    unless: noSelection,
    run: ({ namespace, parts }) => namespace && { notice: parts.copy(Buffer.from(namespace.id), 'the id') },
  },
  {
    does: 'back',
    press: ['esc'],
    label: 'back',
    helpLabel: 'clear the filter',
    about: 'Clear the filter',
    quiet: true,
  },
  ...moveShortcuts,
];

function creating(
  title: string,
  jurisdiction: string | undefined,
  { services: { kv }, session }: PaneParts,
): Work {
  return {
    busy: saving,
    async run(signal) {
      const namespace = await kv.createNamespace(title, jurisdiction, signal);
      const notice = createdNotice(namespace, session.target);
      return { change: toChange(namespace), notice, unfilter: true };
    },
  };
}

function renaming(namespace: Namespace, title: string, { services: { kv } }: PaneParts): Work {
  return {
    busy: saving,
    row: namespace.id,
    async run(signal) {
      await kv.renameNamespace(namespace.id, title, signal);
      const notice = `Renamed ${namespace.title} to ${title}.`;
      return { change: toChange({ ...namespace, title }), notice };
    },
  };
}

/** Looks up the keys of a namespace and the resources that use the namespace, then asks whether to delete the namespace. */
function findUsesFirst(namespace: Namespace, parts: PaneParts): Work {
  const { kv } = parts.services;
  return {
    busy: { kind: 'reading', words: 'looking up' },
    async run(signal) {
      const [bindings, workers, keys] = await Promise.all([
        kv.listBindings(namespace.id),
        findWorkers(namespace, parts, signal),
        readFirstKeys(namespace, parts, signal),
      ]);
      const uses = { bindings, workers, keys };
      return { dialog: removeForm(namespace, uses, removing(namespace, parts)) };
    },
  };
}

/** Maximum number of workers whose bindings are read before the question. */
const maxWorkers = 10;

/** Maximum number of keys that are read, in one request, before the question about deleting a namespace. */
const countedKeys = 1000;

/** The resources that use a namespace, and the namespace's first keys. */
export interface NamespaceUses {
  /** The bindings in the configuration. */
  readonly bindings: readonly string[];
  /** The deployed workers with a binding to the namespace, and the binding; undefined if edgectl did not read all workers. */
  readonly workers: ReadonlyArray<{ readonly worker: string; readonly binding: string }> | undefined;
  /** Names of the namespace's first keys; undefined if the keys could not be read. */
  readonly keys: readonly string[] | undefined;
}

/** Returns the workers that use a namespace; undefined if the account has more than `maxWorkers`, or the workers cannot be read. */
async function findWorkers(
  { id }: Namespace,
  { services: { workers } }: PaneParts,
  signal: AbortSignal,
): Promise<NamespaceUses['workers']> {
  if (workers === undefined) return [];
  try {
    const all = await workers.list(signal);
    if (all.length > maxWorkers) return undefined;
    const found = all.map(async ({ name: worker }) => {
      const { bindings } = await workers.read(worker, signal);
      return bindings
        .filter((binding) => binding.type === 'kv_namespace' && binding['namespace_id'] === id)
        .map(({ name: binding }) => ({ worker, binding }));
    });
    return (await Promise.all(found)).flat();
  } catch (error) {
    return ignoreProblem(error);
  }
}

async function readFirstKeys({ id }: Namespace, { services: { kv } }: PaneParts, signal: AbortSignal) {
  try {
    const pages = kv.listKeys(id, { prefix: '', limit: countedKeys, signal });
    const page = await pages.next();
    await pages.return(undefined);
    return page.done === true ? [] : page.value.map(({ name }) => name);
  } catch (error) {
    return ignoreProblem(error);
  }
}

/** Ignores facts that cannot be read: the question is asked without them. */
function ignoreProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
  return undefined;
}

function removing(namespace: Namespace, { services: { kv } }: PaneParts): Work {
  return {
    busy: deleting,
    row: namespace.id,
    async run(signal) {
      const { id } = namespace;
      await kv.deleteNamespace(id, signal);
      const notice = leftBindingsNotice(namespace, await kv.listBindings(id));
      return { change: { changed: 'namespace', id, namespace: undefined }, notice };
    },
  };
}

/** Maximum number of keys that are counted before the question about clearing a namespace, 1,000 keys per request. */
const maxCounted = 10_000;

/** Counts the keys, then asks whether to delete them. */
function countingKeys(namespace: Namespace, { services: { kv }, tasks }: PaneParts): Work {
  const title = namespace.title;
  const clear: Work = {
    busy: starting,
    async run() {
      await tasks.start({ does: 'clear-namespace', namespace }, []);
      return { notice: `Deleting all keys from ${title}. Press 5 to see the task.` };
    },
  };
  return {
    busy: { kind: 'reading', words: 'counting' },
    async run(signal) {
      let count = 0;
      for await (const page of kv.listKeys(namespace.id, { prefix: '', limit: 1000, signal })) {
        count += page.length;
        if (count > maxCounted) break;
      }
      if (count === 0) return { refusal: `${title} has no keys.` };
      return { dialog: clearForm(namespace, formatKeyCount(count), clear) };
    },
  };
}

/** Returns the work that asks for the namespace to compare with. */
function chooseOther(namespace: Namespace, parts: PaneParts): Work {
  return {
    busy: reading,
    async run(signal) {
      const sides = await otherSides(namespace, parts, signal);
      const items = sides.map((other) => ({
        ...sideItem(other),
        command: {
          busy: reading,
          run: async () => ({ opens: { pane: 'differences', namespace, other } }) as const,
        },
      }));
      const title = `Compare the keys in ${namespace.title} with those in`;
      return { dialog: { kind: 'menu', title, items, initial: 0 } };
    },
  };
}

/** Returns the form for a new namespace. */
export function createForm(create: (title: string, jurisdiction: string | undefined) => Work) {
  const form = openForm('New namespace', [titleField, jurisdictionField(namespaceJurisdictions)]);
  return formDialog(form, (values): Submitted => {
    const { jurisdiction = '' } = values;
    const fault = jurisdictionFault(jurisdiction, namespaceJurisdictions);
    const submitted = submitTitle(values, (title) => create(title, jurisdiction || undefined));
    if (fault === undefined) return submitted;
    return { errors: { ...('errors' in submitted && submitted.errors), jurisdiction: fault } };
  });
}

/** Returns the form that renames a namespace. */
export function renameForm({ title }: Namespace, rename: (title: string) => Work) {
  const form = openForm(`Rename ${title}`, [{ ...titleField, value: editableName(title) }]);
  return formDialog(form, (values) => submitTitle(values, rename));
}

const titleField = { name: 'title', label: 'Title', value: '' };

function submitTitle({ title = '' }: FormValues, become: (title: string) => Work): Submitted {
  return title.trim() === '' ? { errors: { title: 'A title cannot be empty.' } } : { work: become(title) };
}

/**
 * Returns the form that asks for the title of a namespace before the namespace is deleted. The form shows what is lost and what uses the
 * namespace.
 */
export function removeForm({ title }: Namespace, uses: NamespaceUses, remove: Work) {
  const { bindings, workers, keys } = uses;
  const lines: DialogLine[] = [
    lostLine(keys),
    ...(workers ?? []).map(
      ({ worker, binding }) =>
        `The worker ${worker} uses the namespace as ${binding}, and will fail without it.`,
    ),
    ...(workers === undefined ? ['edgectl did not check whether workers use the namespace.'] : []),
    ...bindings.map((binding) => `The binding ${binding} will then point to a deleted namespace.`),
    ...(keys === undefined || keys.length === 0 ? [] : [exampleLine(keys, 'Keys: ')]),
    'Type the title of the namespace to delete it.',
    ...typedFormLines(title),
  ];
  const form = openForm(`Delete namespace ${title}`, [titleField], lines);
  return formDialog({ ...form, submit: 'delete', danger: 'permanent' }, (values: FormValues) =>
    isTypedName(values['title'], title)
      ? { work: remove }
      : { errors: { title: 'The title does not match.' } },
  );
}

function lostLine(keys: readonly string[] | undefined): string {
  if (keys === undefined) return 'All keys and values of the namespace will be lost.';
  if (keys.length === 0) return 'The namespace has no keys.';
  const count =
    keys.length < countedKeys ? formatKeyCount(keys.length) : `${groupDigits(countedKeys)} keys or more`;
  return `${count} will be lost.`;
}

/** Returns the form that asks for the title of a namespace before all its keys are deleted. `count` is text: `more than 10,000 keys`. */
export function clearForm({ title }: Namespace, count: string, clear: Work) {
  const lines = [
    `${capitalize(count)} will be lost, with their values, expiry and metadata.`,
    'The namespace itself stays. Type the title of the namespace to delete the keys.',
    ...typedFormLines(title),
  ];
  const form = openForm(`Delete all keys from ${title}`, [titleField], lines);
  return formDialog({ ...form, submit: 'delete keys', danger: 'permanent' }, (values: FormValues) =>
    isTypedName(values['title'], title)
      ? { work: clear }
      : { errors: { title: 'The title does not match.' } },
  );
}

function formatKeyCount(count: number): string {
  if (count > maxCounted) return `more than ${groupDigits(maxCounted)} keys`;
  return count === 1 ? '1 key' : `${groupDigits(count)} keys`;
}

/**
 * Adds a hint for the preview target, whose list shows only titles with the suffix `_preview`: any other title disappears when the list is
 * reloaded.
 */
function createdNotice({ title }: Namespace, target: Target): string {
  const isListed = target !== 'preview' || title.endsWith('_preview');
  return `Created ${title}.${isListed ? '' : ' Not listed in the preview target: press t for production.'}`;
}

/** Returns a notice that the configuration still binds a deleted namespace; undefined if no binding is left. */
export function leftBindingsNotice({ title }: Namespace, left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const bindings = left.join(' and ');
  return `Deleted ${title}. Remove its remaining bindings yourself: ${bindings}`;
}

function toChange(namespace: Namespace): Change {
  return { changed: 'namespace', id: namespace.id, namespace };
}
