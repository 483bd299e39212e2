import { join } from 'node:path';
import { doubtWords } from '../../files/doubt-words.ts';
import { doubtAbout, type Reader } from '../../files/found.ts';
import { Problem } from '../../model/problem.ts';

/**
 * The folder of local data beside a configuration or in the working directory: `.edgectl/state` below `base`. Refuses one
 * that is not believed, because nobody named it. One that is missing is fine.
 */
export function foundFolder(base: string, reader?: Reader): string {
  const top = join(base, '.edgectl');
  const folder = join(top, 'state');
  const doubt = doubtAbout('data-folder', top, reader) ?? doubtAbout('data-folder', folder, reader);
  if (doubt === undefined) return folder;
  const owner = doubt.fault === 'owner' ? ', not to you' : '';
  throw new Problem(
    'store-invalid',
    `${doubt.path} ${doubtWords(doubt)}${owner}; it is not used unless it is named.`,
    { remedy: { kind: 'name-local-folder', folder } },
  );
}
