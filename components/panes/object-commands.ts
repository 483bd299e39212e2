import type { ObjectAddress, ObjectEntry } from '../../src/model/object.ts';
import type { ObjectCount } from '../../src/services/object-remove.ts';
import type { ObjectService, Under } from '../object-service.ts';

/** What the panes of objects ask the services for. Without `replace`, nothing that is there is overwritten. */
export type ObjectCommand =
  | {
      readonly does: 'upload';
      readonly path: string;
      readonly to: ObjectAddress;
      readonly contentType: string | undefined;
      readonly replace: boolean;
    }
  | {
      readonly does: 'download';
      readonly from: ObjectAddress;
      readonly path: string;
      readonly replace: boolean;
    }
  | {
      readonly does: 'copy';
      readonly from: ObjectAddress;
      readonly to: ObjectAddress;
      readonly replace: boolean;
    }
  | { readonly does: 'remove'; readonly address: ObjectAddress }
  | { readonly does: 'count'; readonly bucket: string; readonly prefix: string }
  | {
      readonly does: 'remove-below';
      readonly bucket: string;
      readonly prefix: string;
      readonly total: number | undefined;
    };

type Replacing = Extract<ObjectCommand, { replace: boolean }>;

/** How a command ended. */
export type ObjectOutcome =
  | { readonly type: 'stored'; readonly at: ObjectAddress; readonly entry: ObjectEntry | undefined }
  | { readonly type: 'saved'; readonly path: string; readonly bytes: number }
  /** Held back, because something has the name already. */
  | { readonly type: 'exists'; readonly command: Replacing }
  | { readonly type: 'removed'; readonly address: ObjectAddress }
  | { readonly type: 'counted'; readonly prefix: string; readonly count: ObjectCount }
  | { readonly type: 'emptied'; readonly prefix: string; readonly objects: number };

/** Carries a command out. */
export async function carryOutObject(
  command: ObjectCommand,
  service: ObjectService,
  under: Under,
): Promise<ObjectOutcome> {
  switch (command.does) {
    case 'upload':
    case 'copy':
      return store(command, service, under);
    case 'download': {
      const { from, path, replace } = command;
      const saved = await service.download(from, path, replace, under);
      return saved === 'exists' ? { type: 'exists', command } : { type: 'saved', path, bytes: saved.bytes };
    }
    case 'remove':
      await service.remove(command.address);
      return { type: 'removed', address: command.address };
    case 'count': {
      const count = await service.count(command.bucket, command.prefix, under.signal);
      return { type: 'counted', prefix: command.prefix, count };
    }
    case 'remove-below': {
      const { bucket, prefix, total } = command;
      return {
        type: 'emptied',
        prefix,
        objects: await service.removeBelow(bucket, prefix, total, under),
      };
    }
  }
}

async function store(
  command: Extract<ObjectCommand, { does: 'upload' | 'copy' }>,
  service: ObjectService,
  under: Under,
): Promise<ObjectOutcome> {
  const { to } = command;
  if (!command.replace && (await service.readEntry(to, under.signal)) !== undefined) {
    return { type: 'exists', command };
  }
  const entry =
    command.does === 'upload'
      ? await service.upload(command.path, to, command.contentType, under)
      : await service.copy(command.from, to, under);
  return { type: 'stored', at: to, entry };
}
