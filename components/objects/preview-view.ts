import { escapeText } from '../../src/text/escape.ts';
import { reading } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { isAbout } from '../ui/tasks/ends.ts';
import { unread, viewAfter } from '../ui/viewer/bytes-view.ts';
import { jsonActions, revealJson } from '../ui/viewer/json-actions.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import type { Chosen } from './chosen.ts';
import type { ObjectCommand } from './commands.ts';
import { readObjectForm } from './form-reading.ts';
import { copyForm, downloadForm, type ObjectForm } from './forms.ts';
import type { PreviewAction } from './keymap.ts';
import { ownView, type Preview, previewSource, withHead } from './preview.ts';
import { askToRemove } from './questions.ts';
import { busyWith, carryOutObject } from './work.ts';

export type OpenPreview = Extract<OpenPane, { pane: 'preview' }>;

/** Bytes of an object that are read, from its beginning. */
export const headBytes = 64 * 1024;

/** The viewer of an object. */
export interface ObjectPreviewParts {
  readonly content: Preview;
  readonly command: { readonly does: 'read' } | ObjectCommand;
  readonly purpose: ObjectForm['purpose'];
  readonly subject: Chosen;
}

type PreviewController = ViewController<ObjectPreviewParts>;

/** The beginning of an object. When a task that it has started has deleted the object, it goes back. */
export function previewOf(opened: OpenPreview, parts: PaneParts): PreviewController {
  let removal: string | undefined;
  return new ViewController<ObjectPreviewParts>(parts, {
    content: unread(opened.entry),
    selects: ({ view, bytes, entry }) => view === 'json' && bytes?.length === entry.size,
    first: { does: 'read' },
    linesOf: previewSource,
    reveal: revealJson,
    busyWith: { ...busyWith, read: reading },
    async carryOut(command, signal) {
      if (command.does === 'read') return read(opened, parts, signal);
      const outcome = await carryOutObject(command, parts, signal);
      if (command.does === 'remove') removal = outcome.taskId;
      return outcome;
    },
    follows: (change) =>
      change.changed === 'object' && change.bucket === opened.bucket.name && change.key === opened.entry.key
        ? { does: 'read' }
        : undefined,
    readForm: readObjectForm,
    tasks: {
      isAbout: (task) => isAbout(task, opened.bucket.name),
      leaves: ({ id, state }) => id === removal && state === 'done',
      changes: ({ work }) => work.does !== 'download',
    },
  });
}

/** Reads what is known of the object and its first bytes. */
async function read(
  { bucket: { name: bucket }, entry: { key } }: OpenPreview,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ViewOutcome<ObjectPreviewParts>> {
  const objects = serviceOf(parts, 'objects');
  const entry = await objects.readEntry({ bucket, key }, signal);
  const head = await objects.readHead({ bucket, key }, headBytes, signal);
  return {
    content: (before) => withHead(before, entry, head),
    change: { changed: 'object', bucket, key, entry },
  };
}

/** Actions of the pane's keys. */
export function previewActions(
  view: PreviewController,
  { bucket: { name: bucket } }: OpenPreview,
  parts: PaneParts,
): OwnViewActions<PreviewAction> {
  const { content } = view;
  const { key, size } = content.entry;
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const chosen = { bucket, folder, marked: [{ key, size }], hidden: 0 };
  return {
    'next-view': () => view.turn({ ...content, view: viewAfter(content.view, ownView) }),
    ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
    download: () => view.ask(downloadForm(chosen)),
    'copy-object': () => view.ask(copyForm(chosen)),
    link: () => view.perform({ does: 'offer-link', address: { bucket, key } }),
    remove: () => askToRemove(view, chosen, parts),
    refresh: () => view.perform({ does: 'read' }),
    copy: () => parts.notify(parts.copy(Buffer.from(key), `the key ${escapeText(key)}`)),
  };
}
