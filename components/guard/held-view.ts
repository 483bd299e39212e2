import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import type { HeldDetail } from '../../src/services/guard/approvals.ts';
import { reading } from '../kit/keys/busy.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { bodyEntries, heldFacts, heldStateEntries } from './held-entries.ts';

/** A held request, and its details once they have been read. */
interface HeldContent {
  /** The request; undefined if it is no longer held. */
  readonly request: HeldRequest | undefined;
  readonly detail: HeldDetail | undefined;
}

/** Returns the view of one held request. */
export function heldView(number: string, parts: PaneParts): ViewController<HeldContent> {
  const { held, world } = parts;
  const find = () => held.rows.find((one) => one.number === number);
  let detail: HeldDetail | undefined;
  return new ViewController<HeldContent>(parts, {
    content: { request: find(), detail },
    selects: true,
    hasRelativeTimes: true,
    ticks: ({ request }) => request?.state === 'waiting',
    first: {
      busy: reading,
      async run() {
        detail = await held.detail(number);
        return { content: (before) => ({ ...before, detail }) };
      },
    },
    createLines({ request, detail: known }, surface) {
      if (request === undefined) return undefined;
      return entryLines(
        [
          ...heldStateEntries(request, world.now()),
          ...heldFacts(request),
          ...(known === undefined ? [] : bodyEntries(known)),
        ],
        surface,
      );
    },
    watch: (became) => held.subscribe(() => became({ request: find(), detail })),
  });
}
