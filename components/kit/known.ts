import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import { formatLink } from '../../src/model/places/link.ts';
import type { Services } from '../../src/services/console/services.ts';

/** Maximum number of saved links. */
const maxLinks = 10_000;

/** The resources that lists have shown since the connection was opened. The palette offers these resources without a request. */
export class KnownPlaces {
  readonly #links = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #isAnnounced = true;
  #shown: readonly string[] = [];

  /** Calls a listener after links were added, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the links, in the order in which they were seen. The array is the same until a link is added. */
  readonly links = (): readonly string[] => {
    if (this.#shown.length !== this.#links.size) this.#shown = [...this.#links];
    return this.#shown;
  };

  /** Wraps the services to record the resources that they list. */
  observe({ kv, objects, hostnames, workers, ...rest }: Services): Services {
    const places = this;
    return {
      ...rest,
      kv: { ...kv, listNamespaces: (...asked) => this.#each(kv.listNamespaces(...asked), keysLink) },
      ...(objects && {
        objects: {
          ...objects,
          listBuckets: (...asked) => this.#each(objects.listBuckets(...asked), objectsLink),
        },
      }),
      ...(hostnames && {
        hostnames: {
          ...hostnames,
          list: (...asked) => this.#each(hostnames.list(...asked), ({ record }) => hostnameLink(record)),
          async urgent(...asked) {
            const found = await hostnames.urgent(...asked);
            for (const { record } of found.rows) places.#note(hostnameLink(record));
            return found;
          },
        },
      }),
      ...(workers && {
        workers: {
          ...workers,
          async list(...asked) {
            const found = await workers.list(...asked);
            for (const { name } of found) places.#note(formatLink({ kind: 'worker', name }));
            return found;
          },
        },
      }),
    };
  }

  async *#each<T>(pages: AsyncGenerator<T[]>, linkFor: (row: T) => string | undefined): AsyncGenerator<T[]> {
    for await (const page of pages) {
      for (const row of page) this.#note(linkFor(row));
      yield page;
    }
  }

  #note(link: string | undefined): void {
    if (link === undefined || this.#links.size >= maxLinks || this.#links.has(link)) return;
    this.#links.add(link);
    if (!this.#isAnnounced) return;
    this.#isAnnounced = false;
    // Notifies the listeners once for all rows of a page.
    queueMicrotask(() => {
      this.#isAnnounced = true;
      for (const listener of this.#listeners) listener();
    });
  }
}

function keysLink({ title }: Namespace): string | undefined {
  return formatLink({ kind: 'keys', namespace: title, prefix: '' });
}

function objectsLink({ name }: Bucket): string | undefined {
  return formatLink({ kind: 'objects', bucket: name, folder: '' });
}

function hostnameLink({ hostname }: { readonly hostname: string }): string | undefined {
  return formatLink({ kind: 'hostname', hostname });
}
