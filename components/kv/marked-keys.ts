import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { isProblem } from '../../src/model/problem.ts';
import { capitalize } from '../../src/model/sentence.ts';
import type { Target } from '../../src/model/target.ts';
import type { TaskWork } from '../../src/model/tasks/task.ts';
import { formatPlaceName } from '../../src/model/where.ts';
import { namespaceAddress } from '../../src/services/kv/bulk/bulk.ts';
import { findNamespace } from '../../src/services/kv/find-namespace.ts';
import { listNamespaces } from '../../src/services/kv/namespaces.ts';
import { type ListedProfile, listProfiles } from '../../src/services/session/profiles.ts';
import { groupDigits } from '../../src/text/size.ts';
import { reading, starting } from '../kit/keys/busy.ts';
import type { OtherSide } from '../kit/open-pane.ts';
import {
  type FormDialog,
  type FormValues,
  formDialog,
  type PaneOutcome,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Field, type Form, openForm } from '../ui/forms/form-state.ts';
import { isTypedName, typedFormLines } from '../ui/forms/typed-name.ts';
import { countHiddenMarks, markedNames } from '../ui/lists/marks.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { type ExportFile, exportForm } from './export-form.ts';
import { readTtl, ttlField } from './key-forms.ts';
import type { NamespacePane } from './key-work.ts';
import { otherSides, sideItem } from './other-sides.ts';

type Keys = PagedList<KeyEntry>;

/** Minimum number of keys for which the user must type the namespace's title before the keys are deleted. */
const many = 100;

/** Asks before deleting marked keys; for at least `many` keys, asks for the namespace's title. */
export function removeMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const { title, id } = pane.namespace;
  const names = markedNames(list);
  const hidden = hiddenLines(countHiddenMarks(list));
  const asked = `Delete ${formatKeys(names)} from ${title}`;
  const warning = 'The values, expiry and metadata of these keys will be lost.';
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
  // Lines in ascending order of importance: a small screen shows the last lines.
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

/** Returns the form that sets the expiry of marked keys. */
export function expireMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const names = markedNames(list);
  const note = 'From now: seconds, or 90m, 7d, 1h30m; or a date (2026-12-24T18:00, UTC); or "never".';
  const form = openForm(
    names.length === 1 ? 'When does 1 key expire?' : `When do ${formatKeys(names)} expire?`,
    [{ ...ttlField, note }],
    [
      ...hiddenLines(countHiddenMarks(list)),
      'Each value is read and rewritten: a concurrent change by someone else will be lost.',
      sampleLine(names),
    ],
  );
  return { dialog: formDialog(form, ({ ttl = '' }) => submitExpiry(ttl, names, pane)) };
}

function submitExpiry(text: string, names: readonly string[], pane: NamespacePane): Submitted {
  const now = pane.parts.world.now();
  const expiry = readTtl(text, 'expire', now);
  if (expiry === 'kept') return { errors: { ttl: 'Enter a time, or "never".' } };
  if ('fault' in expiry) return { errors: { ttl: sentence(expiry.fault) } };
  // The expiry in UNIX seconds; null if the keys must never expire.
  const expiration =
    expiry.expiration ?? (expiry.ttl === undefined ? null : Math.floor(now / 1000) + expiry.ttl);
  const work = { does: 'expire-keys', namespace: pane.namespace, expiration } as const;
  return { work: task(work, names, 'Setting the expiry of', pane) };
}

/** Returns the form that asks for the file to which marked keys are exported. */
export function exportMarked(list: Keys, pane: NamespacePane): PaneOutcome {
  const { namespace } = pane;
  const names = markedNames(list);
  const title = `Export ${formatKeys(names)} from ${namespace.title}`;
  const lines = [
    ...hiddenLines(countHiddenMarks(list)),
    sampleLine(names, 'With values, metadata and expiry: '),
  ];
  const started = (file: ExportFile) =>
    start({ does: 'export-keys', namespace, ...file }, names, 'Exporting', pane);
  return exportForm({ title, lines, start: started }, pane);
}

/**
 * Opens the form for the destination of a copy. The form offers the destinations that a comparison offers (other namespaces, the preview
 * namespace, local data), and other profiles.
 */
export function copyMarked(list: Keys, pane: NamespacePane): Work {
  const subject = { names: markedNames(list), hidden: countHiddenMarks(list), pane };
  const { parts, namespace } = pane;
  return {
    busy: reading,
    async run(signal) {
      const sides = await otherSides(namespace, parts, signal).catch(orNothing<OtherSide>);
      const profiles = await listProfiles(parts.world).catch(orNothing<ListedProfile>);
      const present = formatPlaceName(parts.session.where);
      const destinations = [
        ...sides.map((side) => sideDestination(side, subject)),
        ...profiles
          .filter(({ name }) => name !== present)
          .map(({ name }) => profileDestination(name, subject)),
      ];
      return { dialog: destinations.length === 0 ? typedForm(subject) : pickedForm(destinations, subject) };
    },
  };
}

/** Returns no choices if the namespaces or profiles cannot be listed: the user then types the destination. */
function orNothing<T>(error: unknown): T[] {
  if (!isProblem(error)) throw error;
  return [];
}

/** The names of the keys to copy, the number of these keys that a filter hides, and the pane of their namespace. */
interface CopySubject {
  readonly names: readonly string[];
  readonly hidden: number;
  readonly pane: NamespacePane;
}

/** A destination that the user can pick. */
interface Destination {
  readonly label: string;
  readonly hint?: string;
  copy(onConflict: OnConflict): Work;
}

function sideDestination(side: OtherSide, subject: CopySubject): Destination {
  const { namespace, target } = side;
  const where = target === undefined ? {} : { target };
  return {
    ...sideItem(side),
    copy: (onConflict) => copying({ to: namespace.id, where, onConflict }, subject),
  };
}

/** Returns the destination that lists the namespaces of another profile, and asks the user to choose one. */
function profileDestination(profile: string, subject: CopySubject): Destination {
  const where = { profile, target: 'production' } as const;
  return {
    label: profile,
    hint: 'profile; choose its namespace next',
    copy: (onConflict) => ({
      busy: reading,
      async run() {
        const there: Namespace[] = [];
        await subject.pane.parts.tasks.visit(where, async (session) => {
          for await (const page of listNamespaces(session)) there.push(...page);
        });
        if (there.length === 0) return { errors: { to: 'This profile has no namespaces.' } };
        const destinations = there.map(
          ({ id, title }): Destination => ({
            label: title,
            hint: `profile ${profile}`,
            copy: (chosen) => copying({ to: id, where, onConflict: chosen }, subject),
          }),
        );
        return { dialog: pickedForm(destinations, subject, onConflict) };
      },
    }),
  };
}

const existingField = (value: OnConflict): Field => ({
  name: 'existing',
  label: 'Existing keys',
  value,
  choices: [
    { value: 'fail', label: 'fail', about: 'copy nothing if any key exists' },
    { value: 'skip', label: 'skip existing keys' },
    { value: 'overwrite', label: 'overwrite existing keys' },
  ],
});

function openCopyForm({ names, hidden, pane }: CopySubject, fields: readonly Field[]): Form {
  const title = `Copy ${formatKeys(names)} from ${pane.namespace.title}`;
  return { ...openForm(title, fields, [...hiddenLines(hidden), sampleLine(names)]), submit: 'copy' };
}

/** The value of the choice that opens the form in which names are typed. */
const typedChoice = 'typed';

/** Returns the form in which the user picks one of the destinations. */
function pickedForm(
  destinations: readonly Destination[],
  subject: CopySubject,
  onConflict: OnConflict = 'fail',
): FormDialog {
  const picked = destinations.map(({ label, hint }, index) => ({ value: String(index), label, hint }));
  const typed = { value: typedChoice, label: 'another namespace', hint: 'type the title or id' };
  const to = { name: 'to', label: 'To', value: '0', choices: [...picked, typed] };
  return formDialog(openCopyForm(subject, [to, existingField(onConflict)]), (values): Submitted => {
    const chosen = readOnConflict(values);
    if ('errors' in chosen) return chosen;
    if (values['to'] === typedChoice)
      return {
        work: { busy: reading, run: async () => ({ dialog: typedForm(subject, chosen.onConflict) }) },
      };
    const destination = destinations[Number(values['to'])];
    if (destination === undefined) return { errors: { to: 'Choose a namespace.' } };
    return { work: destination.copy(chosen.onConflict) };
  });
}

/** Returns the form in which the user types a destination. */
function typedForm(subject: CopySubject, onConflict: OnConflict = 'fail'): FormDialog {
  const fields: Field[] = [
    {
      name: 'to',
      label: 'Namespace',
      value: '',
      note: 'The title or id of the namespace; press Tab to complete it.',
      completes: 'namespace',
    },
    {
      name: 'where',
      label: 'Where',
      value: '',
      note: 'production, preview, local, or a profile name (empty: the current target). Press Tab to complete it.',
      completes: 'place',
    },
    existingField(onConflict),
  ];
  return formDialog(openCopyForm(subject, fields), (values) => {
    const { to = '', where = '' } = values;
    const chosen = readOnConflict(values);
    const errors = {
      ...(to.trim() === '' && { to: 'Enter a namespace.' }),
      ...('errors' in chosen && chosen.errors),
    };
    if ('errors' in chosen || Object.keys(errors).length > 0) return { errors };
    const wanted = { to: to.trim(), where: parseDestination(where.trim()), ...chosen };
    return { work: copying(wanted, subject) };
  });
}

/** The destination of a copy, as typed. */
interface Elsewhere {
  readonly target?: Target;
  readonly profile?: string;
}

type OnConflict = 'skip' | 'overwrite' | 'fail';

interface Copy {
  /** Title or id of the namespace at the destination. */
  readonly to: string;
  readonly where: Elsewhere;
  readonly onConflict: OnConflict;
}

function readOnConflict({ existing = '' }: FormValues): { onConflict: OnConflict } | { errors: FormValues } {
  const onConflict = (['skip', 'overwrite', 'fail'] as const).find((one) => one === existing.trim());
  return onConflict === undefined
    ? { errors: { existing: 'Choose skip, overwrite or fail.' } }
    : { onConflict };
}

const targets = ['production', 'preview', 'local'] as const;

/** Parses a typed destination. A profile gets the production target: without it, the profile would use the console's target. */
function parseDestination(text: string): Elsewhere {
  if (text === '') return {};
  const target = targets.find((one) => one === text);
  return target === undefined ? { profile: text, target: 'production' } : { target };
}

/**
 * Returns the work that looks up the destination's namespace, then starts the task. If the namespace is not found, the form shows an error.
 */
function copying({ to, where, onConflict }: Copy, { names, pane }: CopySubject): Work {
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
      if (address === found.address) return { errors: { to: 'The keys are already in this namespace.' } };
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

/** Formats a number of keys: `12 keys`. */
function formatKeys({ length }: { readonly length: number }): string {
  return length === 1 ? '1 key' : `${groupDigits(length)} keys`;
}

function sentence(fault: string): string {
  return `${capitalize(fault)}.`;
}
