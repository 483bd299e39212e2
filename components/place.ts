import type { KeyEntry, Namespace } from '../src/model/kv.ts';

/** What a pane shows. A new noun adds its places here and its panes to `panes/registry.ts`. */
export type Place =
  | { readonly pane: 'namespaces' }
  | {
      readonly pane: 'keys';
      readonly namespace: Namespace;
    }
  | {
      readonly pane: 'value';
      readonly namespace: Namespace;
      readonly entry: KeyEntry;
      /** Called with the key as it now is, or undefined when it is gone. */
      readonly changed: (entry: KeyEntry | undefined) => void;
    };

/** The word for a place in the header: names from outside, not escaped. */
export function crumbOf(place: Place): string {
  switch (place.pane) {
    case 'namespaces':
      return 'Namespaces';
    case 'keys':
      return place.namespace.title;
    case 'value':
      return place.entry.name;
  }
}
