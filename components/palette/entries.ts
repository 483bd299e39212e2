import { formatLink, type PlaceLink, parseLink } from '../../src/model/places/link.ts';
import type { Memory } from '../../src/model/places/memory.ts';
import { rankMatches } from '../../src/text/search/ranking.ts';
import { groupDigits } from '../../src/text/size.ts';
import { listShortcuts } from '../kit/keys/find-shortcut.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { formatPress, type Press } from '../kit/keys/presses.ts';
import type { Keymap, Situation } from '../kit/keys/shortcut.ts';
import type { PlaceFact } from '../kit/known.ts';
import { availableNouns, nouns } from '../kit/nouns.ts';
import type { OpenPanes, PendingPress } from '../kit/open-pane.ts';
import type { FinderEntry } from './finder-rows.ts';

/**
 * The effect of choosing an entry: `press` runs an action of this pane, `link` opens a place, and `goes` opens another pane for an action
 * of that pane.
 */
type Effect =
  | { readonly press: Press }
  | { readonly link: string }
  | {
      /** The panes or the link that the entry opens. */
      readonly goes: OpenPanes | string;
      /** The action, if it needs no row. */
      readonly pending?: PendingPress;
      /** The steps that the user must take first, if the action needs a row. */
      readonly notice?: string;
    };

/** A line of the palette. */
export interface PaletteEntry extends FinderEntry {
  readonly does: Effect;
  /** Identifies the entry among the recent entries: a link, or the pane and the name of an action. */
  readonly id: string;
  /** The distance from the pane on the screen. Among equal matches, the nearest entry comes first. */
  readonly distance: number;
}

/** The headings, in the order in which they are shown if nothing is typed. */
const headings = {
  here: 'Actions here',
  recent: 'Recent',
  bookmarks: 'Bookmarks',
  places: 'Places',
  namespaces: 'Namespaces',
  keys: 'Keys',
  buckets: 'Buckets',
  objects: 'Objects',
  workers: 'Workers',
  everywhere: 'Actions in every pane',
  hostnames: 'Hostnames',
  elsewhere: 'Actions in other panes',
  link: 'Link',
} as const;

const distances = { here: 0, everywhere: 1, place: 2, elsewhere: 3, refused: 0.5 } as const;

/** Cursor movements, which nobody searches for, and the action that opens the palette. */
const excludedActions: ReadonlySet<string> = new Set([
  ...['palette', 'up', 'down', 'page-up', 'page-down', 'first', 'last'],
]);

/** The pane on the screen. */
interface PaletteView {
  readonly mode: Mode;
  readonly situation: Situation;
  readonly keys: Keymap;
}

/** Returns the actions of the pane, the actions of every pane, and bookmarked, visited and listed places, in this order. */
export function paletteEntries(
  view: PaletteView,
  memory: Memory,
  known: ReadonlyMap<string, readonly PlaceFact[]>,
): readonly PaletteEntry[] {
  const links = new Set([...memory.bookmarks, ...visitedPlaces(memory), ...known.keys()]);
  return [...actionEntries(view), ...[...links].flatMap((link) => placeEntry(link, known.get(link)))];
}

/** Returns the links of recently visited places, excluding areas, because a digit opens an area. */
function visitedPlaces({ recents }: Memory): readonly string[] {
  return recents.filter((link) => link.includes('/'));
}

function actionEntries({ mode, situation, keys }: PaletteView): PaletteEntry[] {
  const own = new Set(keys[mode]);
  const areas = new Set(keys.nouns);
  return listShortcuts(mode, keys).flatMap((shortcut): PaletteEntry[] => {
    const { press, label, about, does, unless } = shortcut;
    const [first] = press;
    if (first === undefined || excludedActions.has(does)) return [];
    const refusal = unless?.(situation) ?? false;
    const isOwn = own.has(shortcut);
    const noun = areas.has(shortcut) ? nouns.find(({ name }) => name === does) : undefined;
    return [
      {
        group: noun !== undefined ? headings.places : isOwn ? headings.here : headings.everywhere,
        kind: noun === undefined ? 'action' : 'view',
        effect: noun === undefined ? 'run the action' : 'open the view',
        name: noun?.label ?? label,
        about: noun === undefined ? about : '',
        press: formatPress(first),
        id: actionId(isOwn ? mode : 'global', does),
        distance:
          (isOwn ? distances.here : distances.everywhere) + (refusal === false ? 0 : distances.refused),
        does: { press: first },
        ...(refusal !== false && { refusal }),
      },
    ];
  });
}

/** Identifies an action among the recent actions. */
export function actionId(mode: Mode, does: string): string {
  return `${mode} ${does}`;
}

/** Returns an entry for an action of another pane. `steps` is the pane's distance, less than 1. */
export function elsewhereEntry(
  entry: Omit<PaletteEntry, 'group' | 'kind' | 'distance'>,
  steps: number,
): PaletteEntry {
  return { ...entry, group: headings.elsewhere, kind: 'action', distance: distances.elsewhere + steps };
}

function placeEntry(link: string, facts: readonly PlaceFact[] = []): PaletteEntry[] {
  const place = readLink(link);
  if (place === undefined) return [];
  const { group, kind, name } = describePlace(place);
  return [
    {
      group,
      kind,
      effect: `open the ${kind}`,
      name,
      facts,
      link,
      mode: placeModes[place.kind],
      context: link,
      id: link,
      distance: distances.place,
      does: { link },
    },
  ];
}

/** The modes of the places whose actions the palette shows. */
const placeModes: Partial<Readonly<Record<PlaceLink['kind'], Mode>>> = {
  keys: 'keys',
  key: 'value',
  objects: 'objects',
  object: 'preview',
  hostname: 'hostname',
  worker: 'worker',
};

/** Returns the group, the kind and the name of a place. */
function describePlace(place: PlaceLink): Pick<PaletteEntry, 'group' | 'kind' | 'name'> {
  switch (place.kind) {
    case 'keys':
      return {
        group: headings.namespaces,
        kind: place.prefix === '' ? 'namespace' : 'prefix',
        name: joinNames(place.namespace, place.prefix && `${place.prefix}*`),
      };
    case 'key':
      return { group: headings.keys, kind: 'key', name: joinNames(place.namespace, place.key) };
    case 'differences':
      return {
        group: headings.places,
        kind: 'comparison',
        name: `${place.namespace} compared with ${otherName(place)}`,
      };
    case 'comparison':
      return {
        group: headings.places,
        kind: 'comparison',
        name: `${joinNames(place.namespace, place.key)} compared with ${otherName(place)}`,
      };
    case 'objects':
      return {
        group: headings.buckets,
        kind: place.folder === '' ? 'bucket' : 'folder',
        name: joinNames(place.bucket, place.folder),
      };
    case 'object':
      return { group: headings.objects, kind: 'object', name: joinNames(place.bucket, place.key) };
    case 'hostname':
      return { group: headings.hostnames, kind: 'hostname', name: place.hostname };
    case 'diagnosis':
    case 'instructions':
      return { group: headings.hostnames, kind: place.kind, name: joinNames(place.hostname, place.kind) };
    case 'worker':
      return { group: headings.workers, kind: 'worker', name: place.name };
    case 'logs':
      return { group: headings.workers, kind: 'log', name: joinNames(place.name, 'logs') };
    case 'forecast':
      return { group: headings.places, kind: 'view', name: 'Renewals' };
    case 'records':
      return { group: headings.places, kind: 'view', name: 'DNS records' };
    case 'task':
      return { group: headings.places, kind: 'task', name: joinNames('Task', place.id) };
    default:
      return { group: headings.places, kind: 'view', name: place.kind };
  }
}

function joinNames(...names: readonly string[]): string {
  return names.filter((name) => name !== '').join(' › ');
}

function otherName({ other, target = '' }: { readonly other: string; readonly target?: string }): string {
  return other === '' ? target : other;
}

/** Maximum number of recent places, and of recent actions, that are listed if nothing is typed. */
const maxRecent = { places: 5, actions: 3 } as const;

/** Additional data for the search. */
interface PaletteUse {
  readonly memory: Memory;
  /** Actions of other panes, which are listed only if they match a search or are recent. */
  readonly elsewhere?: readonly PaletteEntry[];
}

/**
 * Returns the entries that match a search, best match first; for an empty search, all entries in groups. A typed link is always offered,
 * even if its place is unknown.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  search: string,
  { memory, elsewhere = [] }: PaletteUse,
): readonly PaletteEntry[] {
  const all = [...entries, ...elsewhere];
  const typed = search.trim();
  if (typed === '') return listByHeading(entries, all, memory);
  const ages = new Map([...memory.recents, ...(memory.actions ?? [])].map((id) => [id, 0]));
  for (const ids of [memory.recents, memory.actions ?? []]) ids.forEach((id, at) => void ages.set(id, at));
  const found = rankMatches(all, typed, {
    age: ({ id }) => ages.get(id) ?? Number.POSITIVE_INFINITY,
    distance: ({ distance }) => distance,
  });
  const link = typed.includes('/') ? formatTyped(typed) : undefined;
  if (link === undefined || found.some(({ id }) => id === link)) return found;
  const entry = {
    group: headings.link,
    kind: 'link',
    effect: 'open the link',
    name: link,
    id: link,
    distance: distances.place,
    does: { link },
  };
  const isBegun = found.some(({ id }) => id.toLowerCase().startsWith(typed.toLowerCase()));
  return isBegun ? [...found, entry] : [entry, ...found];
}

function formatTyped(typed: string): string | undefined {
  const place = readLink(typed);
  return place && formatLink(place);
}

/**
 * Returns all entries in the order of their groups, each entry once: the actions of this pane, recent entries, bookmarks, then the other
 * groups.
 */
function listByHeading(
  entries: readonly PaletteEntry[],
  all: readonly PaletteEntry[],
  memory: Memory,
): readonly PaletteEntry[] {
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const pick = (ids: readonly string[], group: string, limit: number) =>
    ids
      .flatMap((id) => byId.get(id) ?? [])
      .slice(0, limit)
      .map((entry) => ({ ...entry, group }));
  // The most recent place is omitted, because it is on the screen.
  const visited = visitedPlaces({ ...memory, recents: memory.recents.slice(1) });
  const first = [
    ...pick(visited, headings.recent, maxRecent.places),
    ...pick(memory.actions ?? [], headings.recent, maxRecent.actions),
    ...pick(memory.bookmarks, headings.bookmarks, memory.bookmarks.length),
  ];
  const listed = new Set<string>();
  const once = first.filter(({ id }) => !listed.has(id) && listed.add(id));
  const order = Object.values<string>(headings);
  const rest = entries.filter(({ id }) => !listed.has(id));
  return [...once, ...rest].sort((left, right) => order.indexOf(left.group) - order.indexOf(right.group));
}

function readLink(text: string): PlaceLink | undefined {
  try {
    return parseLink(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the explanation for a search that has no matches: the number of entries searched in each group, and the lists that have not been
 * opened.
 */
export function searchedLines(
  search: string,
  all: readonly PaletteEntry[],
  services: Parameters<typeof availableNouns>[0],
): readonly string[] {
  const counts = Map.groupBy(all, ({ group }) => group);
  const searched = Object.values<string>(headings).flatMap((group) => {
    const entries = counts.get(group);
    return entries === undefined ? [] : [`${group.toLowerCase()} (${groupDigits(entries.length)})`];
  });
  const unread = availableNouns(services).filter(
    ({ name, label }) => name !== 'home' && name !== 'tasks' && !counts.has(label),
  );
  return [
    `Nothing matches "${search.trim()}".`,
    `Searched: ${searched.join(', ')}.`,
    ...(unread.length === 0
      ? []
      : [`Lists not opened yet: ${unread.map(({ press, label }) => `${press} ${label}`).join(', ')}.`]),
    'You can also type a link such as kv/NAMESPACE/KEY, even if it is not listed.',
  ];
}
