import * as v from 'valibot';
import type { Target } from '../target.ts';
import { type LastVisit, visitShape } from './visit.ts';

/** Maximum numbers of saved entries. The newest entries are kept. */
const maxEntries = { recents: 30, actions: 30, bookmarks: 100, views: 200 } as const;

/** Maximum length of a saved link or filter. */
const maxLength = 2048;

const linkShape = v.pipe(v.string(), v.maxLength(maxLength));

/** The filter and sort order that a list had when the user left it. */
const viewShape = v.object({
  /** The filter that the platform applies. */
  prefix: v.optional(v.pipe(v.string(), v.maxLength(maxLength))),
  /** The filter that is applied locally. */
  contains: v.optional(v.pipe(v.string(), v.maxLength(maxLength))),
  /** Only rows with one of these tags are shown. */
  only: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(8))),
  sort: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** The separator that splits names into folders. */
  tree: v.optional(v.pipe(v.string(), v.maxLength(8))),
  /** The open folders of the tree. */
  open: v.optional(v.array(linkShape)),
  /** The selected row or folder, and the number of rows above it. */
  at: v.optional(v.object({ name: linkShape, isFolder: v.boolean(), index: v.number() })),
});

export type SavedView = v.InferOutput<typeof viewShape>;

/** A column that the user chose for a kind of list, and its width in terminal columns (default: fits the content). */
const columnShape = v.object({
  heading: v.pipe(v.string(), v.maxLength(64)),
  width: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(400))),
});

export type OwnColumn = v.InferOutput<typeof columnShape>;

/** The console's memory for a profile: names of places, never values. */
export const memoryShape = v.object({
  version: v.literal(1),
  /** Links of bookmarks, newest first. */
  bookmarks: v.array(linkShape),
  /** Links of visited places, most recent first. The first link is the last place that the user visited. */
  recents: v.array(linkShape),
  /** Actions run from the palette, as pane and action name, most recent first. */
  actions: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(maxEntries.actions))),
  /** The filter and sort order of each list, by the link of the list, most recent last. */
  views: v.array(v.tuple([linkShape, viewShape])),
  /** The user's columns for each kind of list, in the user's order. */
  columns: v.optional(v.record(linkShape, v.pipe(v.array(columnShape), v.maxLength(32)))),
  /**
   * The last visit to each target, because each target shows different namespaces. A `visit` from an older version has no target and is
   * ignored.
   */
  visits: v.optional(v.partial(v.object({ production: visitShape, preview: visitShape, local: visitShape }))),
});

export type Memory = v.InferOutput<typeof memoryShape>;

export const noMemory: Memory = { version: 1, bookmarks: [], recents: [], views: [] };

/** Returns the memory after a visit to a place. */
export function withRecent(memory: Memory, link: string): Memory {
  if (memory.recents[0] === link || link.length > maxLength) return memory;
  const others = memory.recents.filter((other) => other !== link);
  return { ...memory, recents: [link, ...others].slice(0, maxEntries.recents) };
}

/** Returns the memory after an action was run from the palette. */
export function withAction(memory: Memory, action: string): Memory {
  const others = (memory.actions ?? []).filter((other) => other !== action);
  return { ...memory, actions: [action, ...others].slice(0, maxEntries.actions) };
}

/** Returns the memory after Home was shown for a target. */
export function withVisit(memory: Memory, target: Target, visit: LastVisit): Memory {
  return { ...memory, visits: { ...memory.visits, [target]: visit } };
}

/** Sets the columns of a kind of list; undefined restores the default. */
export function withColumns(memory: Memory, list: string, columns: readonly OwnColumn[] | undefined): Memory {
  const { [list]: _, ...others } = memory.columns ?? {};
  return { ...memory, columns: columns === undefined ? others : { ...others, [list]: [...columns] } };
}

/** Adds a bookmark if `isBookmarked` is set; otherwise removes it. */
export function withBookmark(memory: Memory, link: string, isBookmarked: boolean): Memory {
  const others = memory.bookmarks.filter((other) => other !== link);
  const bookmarks =
    isBookmarked && link.length <= maxLength ? [link, ...others].slice(0, maxEntries.bookmarks) : others;
  return { ...memory, bookmarks };
}

/** Saves the filter and sort order of a list. Default values are not saved. */
export function withView(memory: Memory, link: string, view: SavedView): Memory {
  const others = memory.views.filter(([other]) => other !== link);
  const isPlain = Object.values(view).every((part) => part === undefined || part === '');
  const { open = [], only = [], at, ...texts } = view;
  const all = [link, at?.name, ...open, ...only, ...Object.values(texts)];
  const isTooLong = all.some((text = '') => text.length > maxLength);
  if (isPlain || isTooLong)
    return others.length === memory.views.length ? memory : { ...memory, views: others };
  return { ...memory, views: [...others, [link, view] as [string, SavedView]].slice(-maxEntries.views) };
}

/** Returns the saved filter and sort order of a list; undefined if none is saved. */
export function findView({ views }: Memory, link: string): SavedView | undefined {
  return views.find(([other]) => other === link)?.[1];
}
