import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { hiddenMarks } from '../ui/lists/marks.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import { authorityFault, removeDialog, restartDialog } from './commands.ts';
import { editForm, editMarkedForm } from './edit-form.ts';
import { newHostnameForm } from './form.ts';
import type { HostnameList } from './hostname-list.ts';
import type { HostnamesAction } from './keymap.ts';
import {
  exportForm,
  markedRecords,
  marksOf,
  reconcileForm,
  removeMarkedForm,
  restartMarkedDialog,
} from './marked.ts';
import { authorityMenu } from './menus.ts';
import { hostnameTags } from './tags.ts';
import type { ZoneController } from './zone-controller.ts';

interface Around {
  readonly of: ZoneController;
  readonly parts: PaneParts;
}

/** Actions of the pane's keys: on the selected hostname, or on the marked ones where there are some. */
export function hostnameActions(list: HostnameList, zone: Zone, around: Around): OwnActions<HostnamesAction> {
  const { of, parts } = around;
  const create = { kind: 'form', purpose: 'create', subject: undefined, form: newHostnameForm() } as const;
  return {
    create: () => list.ask(create),
    ...actionsOnOne(list, zone, around),
    ...changesOnMarked(list, zone, around),
    ...readsOnMarked(list, zone, around),
    import: () => list.ask(reconcileForm(zone)),
    status: () => list.ask(tagMenu(list.list, hostnameTags)),
    zone: () => of.perform({ does: 'offer' }),
    timeline: () => parts.open({ pane: 'forecast', zone }),
    records: () => parts.open({ pane: 'records', zone }),
    'zone-settings': () => list.perform({ does: 'read-settings' }),
  };
}

function actionsOnOne(list: HostnameList, zone: Zone, { of, parts }: Around) {
  const row = list.selected;
  const on = (act: (record: CustomHostname) => void) => () => row && act(row.record);
  const diagnose = (fix: boolean) =>
    on(({ hostname }) => parts.open({ pane: 'diagnosis', zone, hostname, fix }));
  const ahead = of.state.overview?.ahead ?? 0;
  return {
    open: () => row && parts.open({ pane: 'hostname', zone, row, ahead }),
    diagnose: diagnose(false),
    fix: diagnose(true),
    authority: on((record) => {
      const fault = authorityFault(record);
      if (fault === undefined) list.ask(authorityMenu(record));
      else parts.notify(fault, 'refused');
    }),
    instructions: on((record) => parts.open({ pane: 'instructions', zone, record })),
    copy: on(({ hostname }) => parts.notify(parts.copy(Buffer.from(hostname), 'the hostname'))),
  };
}

/** One is changed as one, marked or not: what undo keeps of it does not hang on a mark. */
function changesOnMarked(
  list: HostnameList,
  zone: Zone,
  { parts }: Around,
): Readonly<Record<'edit' | 'revalidate' | 'remove', () => void>> {
  const records = markedRecords(list.list);
  const hidden = hiddenMarks(list.list);
  if (records.length > 1) {
    return {
      edit: () => list.ask(editMarkedForm(records, hidden)),
      revalidate: () => list.ask(restartMarkedDialog(records, hidden, zone)),
      remove: () => list.ask(removeMarkedForm(records, hidden, zone)),
    };
  }
  const record = records[0] ?? list.selected?.record;
  const keeps = parts.services.undo?.keeps === true;
  return {
    edit: () => record && list.ask(editForm(record)),
    revalidate: () => record && list.ask(restartDialog(record, zone, hidden)),
    remove: () => record && list.ask(removeDialog(record, zone, { keeps, hidden })),
  };
}

function readsOnMarked(
  list: HostnameList,
  zone: Zone,
  around: Around,
): Readonly<Record<'diagnose' | 'export', () => void>> {
  const records = markedRecords(list.list);
  const { diagnose } = actionsOnOne(list, zone, around);
  return {
    diagnose:
      records.length === 0
        ? diagnose
        : () => list.perform({ does: 'diagnose-marked', marked: marksOf(records) }),
    export: () => list.ask(exportForm(records, hiddenMarks(list.list), zone)),
  };
}
