import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Keymap, Shortcut } from '../kit/keys/shortcut.ts';
import { type NounName, nouns, unavailableReason } from '../kit/nouns.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { FinderEntry } from './Finder.tsx';

/** The views of each area, its list first. */
const views: Readonly<Record<Exclude<NounName, 'home'>, readonly Mode[]>> = {
  namespaces: ['namespaces', 'keys', 'value'],
  buckets: ['buckets', 'objects', 'preview'],
  hostnames: ['hostnames', 'hostname', 'forecast', 'records'],
  workers: ['workers', 'worker', 'logs'],
  tasks: ['tasks', 'task'],
};

/** Actions that every list or document has, or that only move the cursor: the palette does not list them for other panes. */
const excludedActions: ReadonlySet<string> = new Set([
  ...filterShortcuts.map(({ does }) => does),
  ...['up', 'down', 'page-up', 'page-down', 'first', 'last'],
  ...['open', 'back', 'refresh', 'live', 'copy', 'next', 'search', 'wrap', 'fold', 'fold-all'],
  ...['mark', 'mark-range', 'mark-shown', 'invert-marks', 'clear-marks', 'more', 'all', 'tree', 'status'],
]);

/** An action of another pane. It opens the list of its area and shows what to press there. */
export interface ElsewhereEntry extends FinderEntry {
  readonly does: { readonly goes: OpenPane; readonly notice: string };
}

/** Returns the actions of panes that are not on the screen, each once per area. `has` returns whether an area exists. */
export function actionsElsewhere(
  mode: Mode,
  keys: Keymap,
  has: (name: NounName) => boolean,
): readonly ElsewhereEntry[] {
  return nouns.flatMap((noun) => {
    if (noun.name === 'home') return [];
    const present = views[noun.name].includes(mode) ? keys[mode].map(({ label }) => label) : [];
    const known = new Set<string>(present);
    return views[noun.name].flatMap((view) =>
      shortcutsIn(view, keys).flatMap(({ press: [press], label, about, does }): ElsewhereEntry[] => {
        if (press === undefined || excludedActions.has(does) || known.has(label)) return [];
        known.add(label);
        const isList = view === views[noun.name][0];
        const there = isList ? noun.label : `${noun.label} › ${modeTitles[view]}`;
        const notice = `${isList ? '' : `In ${modeTitles[view]}, `}${formatPress(press)} ${label}: ${about}.`;
        return [
          {
            mark: noun.press,
            label,
            text: `${there} › ${label}: ${about}`,
            does: { goes: noun.opens, notice },
            ...(!has(noun.name) && { refusal: unavailableReason(noun.name) }),
          },
        ];
      }),
    );
  });
}

function shortcutsIn(mode: Mode, keys: Keymap): ReadonlyArray<Shortcut<string>> {
  return keys[mode];
}
