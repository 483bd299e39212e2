import type { Bucket } from '../../src/model/objects/bucket.ts';
import { escapeText } from '../../src/text/escape.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import type { Situation } from '../keymap/shortcut.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { type BucketsState, bucketCounts, selectedBucket, shownBuckets } from './buckets-state.ts';
import { useBuckets } from './use-buckets.ts';

const columnsOfBucket: readonly Column<Bucket>[] = [
  {
    heading: 'CREATED',
    width: 10,
    cell: ({ createdOn }) => dayOf(createdOn),
    role: () => 'dim',
  },
  {
    heading: 'LOCATION',
    width: 8,
    cell: ({ location = '' }) => escapeText(location),
    role: () => 'dim',
  },
];

/** Below this width only the names are shown. */
const roomForFacts = 64;

/** The account's object buckets. */
export function BucketsPane({ visible }: { visible: boolean }) {
  const { session, columns, redact, rows } = useConsole();
  const body = bodyHeight(rows);
  const { state, act, dispatch, perform, save } = useBuckets(tableRows(body), visible);
  const { busy, dialog } = state;
  const situation = {
    readOnly: session.readOnly,
    selected: selectedBucket(state) !== undefined,
    busy,
    can: session.can,
    submit: submitOf(dialog),
  };
  useShortcuts('buckets', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const shown = shownBuckets(state);
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'buckets')} situation={situation} counts={bucketCounts(state)}>
      {taken < body && (
        <Table
          columns={columns < roomForFacts ? [] : columnsOfBucket}
          last={{ heading: 'NAME', cell: ({ name }) => name }}
          length={shown.length}
          rowAt={(index) => shown[index]}
          cursor={state.cursor}
          height={body - taken}
          empty={emptyText(state, situation)}
        />
      )}
      <DialogBox
        dialog={dialog}
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

/** The day of an ISO 8601 time; nothing for what is none, or for local data's beginning of time. */
function dayOf(time: string | undefined): string {
  const milliseconds = Date.parse(time ?? '');
  return milliseconds > 0 ? new Date(milliseconds).toISOString().slice(0, 10) : '';
}

/** Local buckets are there as soon as an object is put into them. */
const noLocalBuckets = 'No buckets here: put an object with edgectl objstore object put BUCKET/KEY … --local';

function emptyText(state: BucketsState, { readOnly, can }: Situation): string {
  if (state.stopped) return 'The list could not be read: r tries again.';
  if (state.loading) return 'Loading…';
  if (state.contains !== '') return 'No bucket matches the filter.';
  if (can?.createBuckets === false) return noLocalBuckets;
  return readOnly ? 'No buckets.' : 'No buckets yet: n creates one.';
}
