import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { hiddenMarks, markCount, markedNames } from '../ui/lists/marks.ts';
import { newKeyForm } from './key-forms.ts';
import type { KeyList } from './key-list.ts';
import {
  copyKeysForm,
  expireMarkedForm,
  exportForm,
  importForm,
  type MarkedDialog,
  removeMarkedDialog,
} from './key-marked.ts';
import { removeKey } from './key-work.ts';
import type { KeysAction } from './keymap.ts';

type KeyAction = 'open' | 'compare' | 'edit' | 'edit-outside' | 'expire' | 'remove' | 'copy';
type ManyAction = 'export' | 'copy-keys' | 'expire' | 'remove';

/** Actions of the pane's keys. */
export function keyActions(list: KeyList, namespace: Namespace, parts: PaneParts): OwnActions<KeysAction> {
  const { selected } = list;
  const onKey = (action: KeyAction) => () =>
    selected && selectedActions(selected, list, namespace, parts)[action]();
  const onMany = (action: ManyAction) => () => list.ask(markedDialog(action, list, namespace));
  const hasMarks = markCount(list.list) > 0;
  return {
    create: () => list.ask({ kind: 'form', purpose: 'create', subject: undefined, form: newKeyForm() }),
    import: () => list.ask(importForm(namespace)),
    open: onKey('open'),
    compare: onKey('compare'),
    edit: onKey('edit'),
    'edit-outside': onKey('edit-outside'),
    expire: hasMarks ? onMany('expire') : onKey('expire'),
    remove: hasMarks ? onMany('remove') : onKey('remove'),
    export: onMany('export'),
    'copy-keys': onMany('copy-keys'),
    copy: onKey('copy'),
  };
}

function selectedActions(
  entry: KeyEntry,
  list: KeyList,
  namespace: Namespace,
  parts: PaneParts,
): Record<KeyAction, () => void> {
  const key = entry.name;
  return {
    open: () => parts.open({ pane: 'value', namespace, entry }),
    compare: () => parts.open({ pane: 'comparison', namespace, key }),
    edit: () => list.perform({ does: 'edit', key, purpose: 'edit' }),
    expire: () => list.perform({ does: 'edit', key, purpose: 'expire' }),
    'edit-outside': () => list.perform({ does: 'edit-outside', key }),
    remove: () => removeKey(list, key, namespace, parts),
    copy: () => parts.notify(parts.copy(Buffer.from(key), `the name ${escapeText(key)}`)),
  };
}

function markedDialog(action: ManyAction, { list }: KeyList, namespace: Namespace): MarkedDialog {
  const names = markedNames(list);
  const hidden = hiddenMarks(list);
  switch (action) {
    case 'remove':
      return removeMarkedDialog(names, hidden, namespace);
    case 'expire':
      return expireMarkedForm(names, hidden);
    case 'export':
      return exportForm(names, hidden, namespace);
    case 'copy-keys':
      return copyKeysForm(names, hidden, namespace);
  }
}
