import * as v from 'valibot';
import type { Target } from '../target.ts';
import { type LastVisit, visitShape } from './visit.ts';

/** Bounds of what is kept: the newest stay. */
const kept = { recents: 30, bookmarks: 100, views: 200 } as const;

/** Longest link and longest filter that are kept. */
const longest = 2048;

const linkShape = v.pipe(v.string(), v.maxLength(longest));

/** How a list was filtered and sorted when it was left. */
const viewShape = v.object({
  /** Asked of the platform. */
  prefix: v.optional(v.pipe(v.string(), v.maxLength(longest))),
  /** Filtered here. */
  contains: v.optional(v.pipe(v.string(), v.maxLength(longest))),
  /** Only rows with these tags. */
  only: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(8))),
  sort: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** Its names cut into folders by this. */
  tree: v.optional(v.pipe(v.string(), v.maxLength(8))),
  /** The open folders of the tree. */
  open: v.optional(v.array(linkShape)),
  /** The row or folder that was selected, and the number of rows before it. */
  at: v.optional(v.object({ name: linkShape, isFolder: v.boolean(), index: v.number() })),
});

export type KeptView = v.InferOutput<typeof viewShape>;

/** The memory of the console for a profile: names of places, and never a value. */
export const memoryShape = v.object({
  version: v.literal(1),
  /** Links, the newest first. */
  bookmarks: v.array(linkShape),
  /** Links, the latest first; the first is where the reader was. */
  recents: v.array(linkShape),
  /** By link of the list, the latest last. */
  views: v.array(v.tuple([linkShape, viewShape])),
  /** By target: each shows other namespaces. A `visit` of older files names no target, and is ignored. */
  visits: v.optional(v.partial(v.object({ production: visitShape, preview: visitShape, local: visitShape }))),
});

export type Memory = v.InferOutput<typeof memoryShape>;

export const noMemory: Memory = { version: 1, bookmarks: [], recents: [], views: [] };

/** The memory after a visit to a place. */
export function withRecent(memory: Memory, link: string): Memory {
  if (memory.recents[0] === link || link.length > longest) return memory;
  const others = memory.recents.filter((other) => other !== link);
  return { ...memory, recents: [link, ...others].slice(0, kept.recents) };
}

/** The memory after Home was read in a target. */
export function withVisit(memory: Memory, target: Target, visit: LastVisit): Memory {
  return { ...memory, visits: { ...memory.visits, [target]: visit } };
}

/** The memory with a bookmark more, or without it where it was. */
export function withBookmark(memory: Memory, link: string, isKept: boolean): Memory {
  const others = memory.bookmarks.filter((other) => other !== link);
  const bookmarks = isKept && link.length <= longest ? [link, ...others].slice(0, kept.bookmarks) : others;
  return { ...memory, bookmarks };
}

/** The memory of how a list is shown; nothing is stored for a list with its default view. */
export function withView(memory: Memory, link: string, view: KeptView): Memory {
  const others = memory.views.filter(([other]) => other !== link);
  const isPlain = Object.values(view).every((part) => part === undefined || part === '');
  const { open = [], only = [], at, ...texts } = view;
  const all = [link, at?.name, ...open, ...only, ...Object.values(texts)];
  const isTooLong = all.some((text = '') => text.length > longest);
  if (isPlain || isTooLong)
    return others.length === memory.views.length ? memory : { ...memory, views: others };
  return { ...memory, views: [...others, [link, view] as [string, KeptView]].slice(-kept.views) };
}

/** How a list was shown; undefined where nothing is known. */
export function viewOf({ views }: Memory, link: string): KeptView | undefined {
  return views.find(([other]) => other === link)?.[1];
}
