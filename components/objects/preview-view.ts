import type { ObjectAddress } from '../../src/model/objects/object.ts';
import { reading } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { isAboutBucket } from '../ui/tasks/ends.ts';
import { unreadBytes } from '../ui/viewer/bytes-view.ts';
import { revealJson } from '../ui/viewer/json-actions.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewWork } from '../ui/viewer/view-source.ts';
import { type Preview, previewSource, withHead } from './preview.ts';

export type OpenPreview = Extract<OpenPane, { pane: 'preview' }>;

/** Number of bytes to read from the start of an object. */
const headBytes = 64 * 1024;

/** The viewer of the beginning of an object. */
export class ObjectView extends ViewController<Preview> {
  readonly address: ObjectAddress;
  /** The id of the task that deletes the object; the pane closes when this task is done. */
  removal: string | undefined;

  constructor({ bucket: { name: bucket }, entry }: OpenPreview, parts: PaneParts) {
    const address = { bucket, key: entry.key };
    const first = readingPreview(address, parts);
    super(parts, {
      content: unreadBytes(entry),
      selects: ({ view, bytes, entry: { size } }) => view === 'json' && bytes?.length === size,
      first,
      refreshes: true,
      createLines: previewSource,
      reveal: revealJson,
      follows: (change) =>
        change.changed === 'object' && change.bucket === bucket && change.key === entry.key
          ? first
          : undefined,
      tasks: {
        isAbout: (task) => isAboutBucket(task, bucket),
        closesPane: ({ id, state }) => id === this.removal && state === 'done',
        changes: ({ work }) => work.does !== 'download',
      },
    });
    this.address = address;
  }
}

/** Returns the work that reads the metadata of an object and its first bytes. */
export function readingPreview({ bucket, key }: ObjectAddress, parts: PaneParts): ViewWork<Preview> {
  return {
    busy: reading,
    async run(signal) {
      const objects = requireService(parts, 'objects');
      const entry = await objects.readEntry({ bucket, key }, signal);
      const head = await objects.readHead({ bucket, key }, headBytes, signal);
      return {
        content: (before) => withHead(before, entry, head),
        change: { changed: 'object', bucket, key, entry },
      };
    },
  };
}
