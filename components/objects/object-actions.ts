import { escapeText } from '../../src/text/escape.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { type Chosen, hasFolders } from './chosen.ts';
import { copyForm, downloadForm, uploadForm } from './forms.ts';
import type { ObjectsAction } from './keymap.ts';
import { chosenObjects, type ObjectList, type OpenObjects } from './object-list.ts';
import { askToRemove } from './questions.ts';

/** Actions of the pane's keys. */
export function objectActions(
  list: ObjectList,
  opened: OpenObjects,
  parts: PaneParts,
): OwnActions<ObjectsAction> {
  const { bucket, folder } = opened;
  const row = list.selected;
  const onChosen = (act: (chosen: Chosen) => void) => () => {
    const chosen = chosenObjects(opened, list.list);
    if (chosen !== undefined) act(chosen);
  };
  return {
    open() {
      if (row === undefined) return;
      if (row.entry === undefined) parts.open({ pane: 'objects', bucket, folder: row.key });
      else parts.open({ pane: 'preview', bucket, entry: row.entry });
    },
    upload: () => list.ask(uploadForm(bucket.name, folder)),
    download: onChosen((chosen) => list.ask(downloadForm(chosen))),
    'copy-object': onChosen((chosen) => list.ask(copyForm(chosen))),
    remove: onChosen((chosen) => remove(list, chosen, parts)),
    link() {
      if (row?.entry === undefined)
        parts.notify('A link leads to one object, and not to a folder.', 'refused');
      else list.perform({ does: 'offer-link', address: { bucket: bucket.name, key: row.key } });
    },
    copy: () => row && parts.notify(parts.copy(Buffer.from(row.key), `the key ${escapeText(row.key)}`)),
  };
}

/** Asks before a deletion. Objects below folders are counted first. */
function remove(list: ObjectList, chosen: Chosen, parts: PaneParts): void {
  if (hasFolders(chosen)) list.perform({ does: 'count', from: chosen });
  else askToRemove(list, chosen, parts);
}
