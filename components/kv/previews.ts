import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { bytesContent } from '../ui/preview/bytes-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines } from '../ui/viewer/entries.ts';

/** Bytes of a value to read for a preview: more than a screen shows. */
const startBytes = 64 * 1024;

/** Keys of a namespace that its preview lists. */
const firstKeys = 100;

type Parts = Pick<PaneParts, 'services'>;

/** The beginning of a key's value. */
export function valuePreview(namespace: Namespace, entry: KeyEntry, { services: { kv } }: Parts): Previewed {
  const { name } = entry;
  return {
    id: `value ${namespace.id} ${name}`,
    title: name,
    async read(signal) {
      const start = await kv.readValueStart(namespace.id, name, startBytes, signal);
      if (start === undefined) throw new Problem('not-found', 'This key was deleted or has expired.');
      return bytesContent(start.bytes, { size: start.isWhole ? start.bytes.length : undefined });
    },
  };
}

/** The first keys of a namespace. */
export function namespacePreview(namespace: Namespace, { services: { kv } }: Parts): Previewed {
  return {
    id: `keys ${namespace.id}`,
    title: namespace.title,
    async read(signal) {
      const pages = kv.listKeys(namespace.id, { prefix: '', limit: firstKeys, signal });
      const page = await pages.next();
      await pages.return(undefined);
      const keys = page.done === true ? [] : page.value;
      const entries = keys.map(({ name }) => ({ text: escapeText(name) }));
      const counts = keys.length < firstKeys ? describeKey(keys.length) : `first ${firstKeys} keys`;
      return { counts, lines: (surface) => entryLines(entries, surface) };
    },
  };
}

function describeKey(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`;
}
