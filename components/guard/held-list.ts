import { formatEffect, formatState, quote } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { onePage } from '../kit/pages.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { bodyEntries, heldFacts } from './held-entries.ts';

/** The columns of the held requests. The user cannot sort by most columns: pending requests stay first. */
export const declaredHeldColumns = declareColumns<HeldRequest>()(
  {
    NUMBER: 'unsorted',
    LEFT: 'unsorted',
    STATE: 'unsorted',
    PROGRAM: 'unsorted',
    COUNT: 'unsorted',
    RULE: 'unsorted',
  },
  { heading: 'REQUEST', by: formatRequest },
);

/**
 * Formats the method and resource of a request. The effect comes first if the method does not show the effect. If the name of the resource
 * is unknown, the path is shown instead, without the account or zone, and with shortened ids.
 */
export function formatRequest(request: HeldRequest): string {
  const { method, path, noun, name } = request;
  const sent = `${formatEffect(request)}${method}`;
  if (noun !== undefined && name !== undefined) return `${sent} ${noun} ${formatName(name)}`;
  const short = path
    .replace(/^\/(?:accounts|zones)\/[0-9a-f]{32}(?=\/)/, '…')
    .replace(/(?<=\/[0-9a-f]{8})[0-9a-f]{24}(?=\/|$)/g, '…');
  return `${sent} ${decodePath(short)}`;
}

/** Quotes a name that contains white space, so that its ends are visible. */
function formatName(name: string): string {
  return /\s/.test(name) ? quote(name) : name;
}

/** Decodes the percent encoding of a path; returns the path unchanged if the encoding is not valid UTF-8. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const heldKind: RowKind<HeldRequest> = {
  getId: ({ number }) => number,
  getText: formatRequest,
  order: 'as-listed',
};

/** Returns the list of held requests. The list's filter is not saved, because a saved filter could hide a request. */
export function heldList(parts: PaneParts): ListController<HeldRequest> {
  const { held } = parts;
  return new ListController<HeldRequest>(parts, {
    kind: heldKind,
    whole: true,
    live: {
      rows: () => held.rows,
      next: () => held.rows.find(({ state }) => state === 'waiting')?.number,
      subscribe: held.subscribe,
    },
    pages: () => onePage(Promise.resolve(held.rows)),
    rowChange: () => undefined,
  });
}

/** Returns the preview of a held request: its sender, its content, and the changes that it would make. */
export function heldPreview(request: HeldRequest, { held }: Pick<PaneParts, 'held'>): Previewed {
  const facts = heldFacts(request);
  return {
    id: `held ${request.number} ${request.state}`,
    title: `Request ${request.number}`,
    async read() {
      const detail = await held.detail(request.number);
      const entries = [...facts, ...(detail === undefined ? [] : bodyEntries(detail))];
      return { counts: formatState(request), lines: (surface) => entryLines(entries, surface) };
    },
  };
}
