import {
  type EffectiveSetting,
  listEffectiveSettings,
} from '../../src/services/session/effective-settings.ts';
import { onePage } from '../kit/pages.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { entriesContent } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { factEntries } from '../ui/viewer/entries.ts';

const declaredColumns = declareColumns<EffectiveSetting>()(
  { VALUE: ({ value }) => value, SOURCE: ({ source }) => source, DEFAULT: 'unsorted' },
  { heading: 'SETTING', by: ({ name }) => name },
);

/** The columns to draw after the name. */
export const settingColumns = drawColumns(declaredColumns, {
  VALUE: {
    width: 10,
    maxWidth: 40,
    importance: 3,
    cell: ({ value }) => value,
    role: ({ isDefault }) => (isDefault ? 'plain' : 'changed'),
  },
  SOURCE: { width: 12, maxWidth: 24, importance: 2, cell: ({ source }) => source, role: () => 'dim' },
  DEFAULT: { width: 8, importance: 1, cell: ({ byDefault }) => byDefault, role: () => 'dim' },
});

/** Returns the list of the user's settings, in the order of `edgectl setting list`. */
export function settingList(parts: PaneParts): ListController<EffectiveSetting> {
  return new ListController<EffectiveSetting>(parts, {
    kind: {
      getId: ({ name }) => name,
      getText: ({ name, about }) => `${name}\n${about}`,
      order: 'as-listed',
      sorts: declaredColumns.sorts,
    },
    whole: true,
    pages: () => onePage(readSettings(parts)),
    rowChange: () => undefined,
  });
}

/** Reads the settings. Rejects if the file is invalid; the list then shows the problem. */
async function readSettings({ world }: PaneParts): Promise<readonly EffectiveSetting[]> {
  return listEffectiveSettings(world);
}

/** Returns the preview of a setting: its effect, and its values. */
export function settingPreview({
  name,
  about,
  values,
  value,
  byDefault,
  source,
}: EffectiveSetting): Previewed {
  const entries = [
    { text: `${about}.` },
    { text: '' },
    ...factEntries('value', value),
    ...factEntries('source', source),
    ...factEntries('default', byDefault),
    ...factEntries('allowed', values.join(', ')),
  ];
  return { id: `setting ${name} ${value} ${source}`, title: name, content: entriesContent({ entries }) };
}
