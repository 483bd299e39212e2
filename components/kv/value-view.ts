import { isPlatformChange } from '../../src/model/tasks/task.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { isAboutNamespace } from '../ui/tasks/ends.ts';
import { unreadBytes } from '../ui/viewer/bytes-view.ts';
import { revealJson } from '../ui/viewer/json-actions.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { type KeyText, valueSource } from './value.ts';
import { readingValue } from './value-actions.ts';

export type OpenValue = Extract<OpenPane, { pane: 'value' }>;

/** Returns the controller of the view of a key's value. */
export function keyView({ namespace, entry }: OpenValue, parts: PaneParts): ViewController<KeyText> {
  const first = readingValue(entry.name, { namespace, parts });
  return new ViewController<KeyText>(parts, {
    content: unreadBytes(entry),
    selects: ({ view }) => view === 'json',
    first,
    refreshes: true,
    createLines: valueSource,
    reveal: revealJson,
    follows: (change) =>
      change.changed === 'key' && change.namespaceId === namespace.id && change.name === entry.name
        ? first
        : undefined,
    tasks: {
      isAbout: (task) => isAboutNamespace(task, namespace.id),
      closesPane: () => false,
      changes: ({ work }) => isPlatformChange(work),
    },
  });
}
