import type { Namespace } from '../../src/model/kv/kv.ts';
import { escapeText } from '../../src/text/escape.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import type { Situation } from '../keymap/shortcut.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import {
  type NamespacesState,
  namespaceCounts,
  selectedNamespace,
  shownNamespaces,
} from './namespaces-state.ts';
import { useNamespaces } from './use-namespaces.ts';

const idColumn: Column<Namespace> = {
  heading: 'ID',
  width: 32,
  cell: ({ id }) => escapeText(id),
  role: () => 'dim',
};

/** Below this width the ids are left out. */
const roomForIds = 64;

/** The account's namespaces. */
export function NamespacesPane({ visible }: { visible: boolean }) {
  const { session, columns, redact, rows } = useConsole();
  const body = bodyHeight(rows);
  const { state, busy, act, dispatch, perform, save } = useNamespaces(tableRows(body));
  const situation = {
    readOnly: session.readOnly,
    selected: selectedNamespace(state) !== undefined,
    busy,
    can: session.can,
    submit: submitOf(state.dialog),
  };
  useShortcuts('namespaces', { active: visible && state.dialog === undefined, situation, act });
  if (!visible) return null;
  const shown = shownNamespaces(state);
  const taken = dialogHeight(state.dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(state.dialog, 'namespaces')} situation={situation} counts={namespaceCounts(state)}>
      {taken < body && (
        <Table
          columns={columns < roomForIds ? [] : [idColumn]}
          last={{ heading: 'TITLE', cell: ({ title }) => title }}
          length={shown.length}
          rowAt={(index) => shown[index]}
          cursor={state.cursor}
          height={body - taken}
          empty={emptyText(state, situation)}
        />
      )}
      <DialogBox
        dialog={state.dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        onFilter={(text) => dispatch({ type: 'filtered', text })}
        onApply={() => dispatch({ type: 'kept' })}
        save={save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

/** Local namespaces come from the configuration, or are there as soon as a key is written to them. */
const noLocalNamespaces =
  'Local data have no list of namespaces: bind one in edgectl.toml ([[kv_namespaces]]), ' +
  'or write with edgectl kv key put … --namespace-id ID --local';

function emptyText(state: NamespacesState, { readOnly, can }: Situation): string {
  if (state.stopped) return 'The list could not be read: r tries again.';
  if (state.loading) return 'Loading…';
  if (state.contains !== '') return 'No namespace matches the filter.';
  if (can?.listNamespaces === false) return noLocalNamespaces;
  return readOnly ? 'No namespaces.' : 'No namespaces yet: n creates one.';
}
