import type { ObjectAddress } from '../../src/model/objects/object.ts';
import type { LinkOptions } from '../../src/services/objects/presign.ts';
import type { Chosen } from './chosen.ts';

/** Whether objects or files that exist already are skipped or replaced. */
export type Existing = 'skip' | 'replace';

/** Commands of the panes of objects; all but `count` and those on links start a task. Paths are as they were typed. */
export type ObjectCommand =
  | {
      readonly does: 'upload';
      readonly bucket: string;
      readonly folder: string;
      readonly path: string;
      /** Behind the folder; empty for the file's own. */
      readonly name: string;
      readonly contentType: string | undefined;
      readonly existing: Existing;
    }
  | { readonly does: 'download'; readonly from: Chosen; readonly path: string; readonly existing: Existing }
  /** To a key, or many to below a prefix. */
  | { readonly does: 'copy'; readonly from: Chosen; readonly to: ObjectAddress; readonly existing: Existing }
  | { readonly does: 'remove'; readonly from: Chosen }
  /** Asks what the link is good for, where links can be made. */
  | { readonly does: 'offer-link'; readonly address: ObjectAddress }
  /** Makes a link that lets anybody do one thing with an object for so many seconds. */
  | { readonly does: 'link'; readonly address: ObjectAddress; readonly options: LinkOptions }
  | { readonly does: 'copy-link'; readonly url: string }
  /** Counts what would be deleted. */
  | { readonly does: 'count'; readonly from: Chosen };

/** A command that may replace something. */
export type Storing = Extract<ObjectCommand, { existing: Existing }>;
