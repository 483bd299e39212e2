import type { Namespace } from '../../src/model/kv/kv.ts';
import { changesPlatform } from '../../src/model/tasks/task.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type Busy, deleting, reading, saving } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { isAboutNamespace } from '../ui/tasks/ends.ts';
import { gone, unread, viewAfter } from '../ui/viewer/bytes-view.ts';
import { jsonActions, revealJson } from '../ui/viewer/json-actions.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject } from './key-commands.ts';
import { readKeyForm } from './key-forms.ts';
import { carryOutKey, type KeyOutcome, removeKey } from './key-work.ts';
import type { ValueAction } from './keymap.ts';
import { countsDown, ownView, type ShownKey, valueSource, withValue } from './value.ts';

export type OpenValue = Extract<OpenPane, { pane: 'value' }>;

/** The viewer of a key's value. */
interface ValueParts {
  readonly content: ShownKey;
  readonly command: { readonly does: 'read' } | KeyCommand;
  readonly purpose: KeyFormPurpose;
  readonly subject: KeySubject;
}

type ValueController = ViewController<ValueParts>;

const busyWith: Readonly<Record<ValueParts['command']['does'], Busy>> = {
  read: reading,
  write: saving,
  remove: deleting,
  edit: reading,
  'edit-outside': { kind: 'reading', words: 'editing' },
  'edit-draft': { kind: 'reading', words: 'editing' },
  discard: reading,
};

/** The value of a key. When it has deleted the key, it goes back. */
export function keyView({ namespace, entry }: OpenValue, parts: PaneParts): ValueController {
  return new ViewController<ValueParts>(parts, {
    content: unread(entry),
    selects: ({ view }) => view === 'json',
    first: { does: 'read' },
    linesOf: valueSource,
    reveal: revealJson,
    ticks: (content) => countsDown(content, parts.world.now()),
    busyWith,
    carryOut: async (command, signal) =>
      command.does === 'read'
        ? read(namespace, entry.name, parts, signal)
        : outcomeOf(await carryOutKey(command, namespace, parts, signal)),
    follows: (change) =>
      change.changed === 'key' && change.namespaceId === namespace.id && change.name === entry.name
        ? { does: 'read' }
        : undefined,
    tasks: {
      isAbout: (task) => isAboutNamespace(task, namespace.id),
      leaves: () => false,
      changes: ({ work }) => changesPlatform(work),
    },
    readForm({ purpose, subject, form }) {
      const command = readKeyForm(purpose, subject, form, parts.world.now());
      return 'errors' in command ? command : { command };
    },
  });
}

async function read(
  { id }: Namespace,
  key: string,
  { services: { kv } }: PaneParts,
  signal: AbortSignal,
): Promise<ViewOutcome<ValueParts>> {
  const subject = await kv.readKey(id, key, signal);
  if (subject !== undefined) return { content: (before) => withValue(before, subject) };
  return { content: gone, change: { changed: 'key', namespaceId: id, name: key, entry: undefined } };
}

function outcomeOf({ value, ...outcome }: KeyOutcome): ViewOutcome<ValueParts> {
  const { change } = outcome;
  if (change === undefined) return outcome;
  const { entry } = change;
  if (entry === undefined || value === undefined) return { ...outcome, leaves: true };
  return { ...outcome, content: (before) => withValue(before, { entry, value }) };
}

/** Actions of the pane's keys. */
export function valueActions(
  view: ValueController,
  { namespace }: OpenValue,
  parts: PaneParts,
): OwnViewActions<ValueAction> {
  const { content } = view;
  const { bytes } = content;
  const key = content.entry.name;
  return {
    'next-view': () => view.turn({ ...content, view: viewAfter(content.view, ownView) }),
    ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
    compare: () => parts.open({ pane: 'comparison', namespace, key }),
    edit: () => view.perform({ does: 'edit', key, purpose: 'edit' }),
    expire: () => view.perform({ does: 'edit', key, purpose: 'expire' }),
    'edit-outside': () => view.perform({ does: 'edit-outside', key }),
    remove: () => removeKey(view, key, namespace, parts),
    refresh: () => view.perform({ does: 'read' }),
    copy: () => bytes instanceof Uint8Array && parts.notify(parts.copy(bytes, 'the value')),
    'copy-name': () => parts.notify(parts.copy(Buffer.from(key), `the name ${escapeText(key)}`)),
  };
}
