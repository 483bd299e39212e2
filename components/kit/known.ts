import { type Evidence, findAttention } from '../../src/model/hostnames/attention.ts';
import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import { formatLink } from '../../src/model/places/link.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';

/** Maximum number of links in memory. */
const maxLinks = 10_000;

/** The resources that lists have shown since the connection was opened. The palette offers these resources without a request. */
export class KnownPlaces {
  /** The note that a list last showed for each link. */
  readonly #notes = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #isAnnounced = true;
  #shown: ReadonlyMap<string, string> | undefined;

  /** Calls a listener after links or their notes have changed, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the links in the order in which they were first seen, each with its note. The same map until a link or note changes. */
  readonly notes = (): ReadonlyMap<string, string> => {
    this.#shown ??= new Map(this.#notes);
    return this.#shown;
  };

  /** Wraps the services to record the resources that they list. */
  observe({ kv, objects, hostnames, workers, ...rest }: Services): Services {
    const places = this;
    return {
      ...rest,
      kv: { ...kv, listNamespaces: (...asked) => this.#each(kv.listNamespaces(...asked), describeNamespace) },
      ...(objects && {
        objects: {
          ...objects,
          listBuckets: (...asked) => this.#each(objects.listBuckets(...asked), describeBucket),
        },
      }),
      ...(hostnames && {
        hostnames: {
          ...hostnames,
          list: (...asked) => this.#each(hostnames.list(...asked), describeHostname),
          async urgent(...asked) {
            const found = await hostnames.urgent(...asked);
            for (const row of found.rows) places.#note(describeHostname(row));
            return found;
          },
        },
      }),
      ...(workers && {
        workers: {
          ...workers,
          async list(...asked) {
            const found = await workers.list(...asked);
            for (const worker of found) places.#note(describeWorker(worker));
            return found;
          },
        },
      }),
    };
  }

  async *#each<T>(pages: AsyncGenerator<T[]>, describe: (row: T) => Described): AsyncGenerator<T[]> {
    for await (const page of pages) {
      for (const row of page) this.#note(describe(row));
      yield page;
    }
  }

  #note({ link, note }: Described): void {
    const before = link === undefined ? note : this.#notes.get(link);
    if (link === undefined || before === note) return;
    if (before === undefined && this.#notes.size >= maxLinks) return;
    this.#notes.set(link, note);
    this.#shown = undefined;
    if (!this.#isAnnounced) return;
    this.#isAnnounced = false;
    // Notifies the listeners once for all rows of a page.
    queueMicrotask(() => {
      this.#isAnnounced = true;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** A resource: its link (undefined if its name cannot be part of a link), and a short note. */
interface Described {
  readonly link: string | undefined;
  readonly note: string;
}

function describeNamespace({ id, title }: Namespace): Described {
  return { link: formatLink({ kind: 'keys', namespace: title, prefix: '' }), note: `id ${id}` };
}

function describeBucket({ name, createdOn, location }: Bucket): Described {
  const created = createdOn === undefined ? [] : [`created ${createdOn.slice(0, 10)}`];
  const note = [...created, ...(location === undefined ? [] : [location])].join(' · ');
  return { link: formatLink({ kind: 'objects', bucket: name, folder: '' }), note };
}

/** Describes a hostname in the words of the list of hostnames. */
function describeHostname(evidence: Evidence): Described {
  const { hostname } = evidence.record;
  const attention = findAttention(evidence);
  const note =
    attention === undefined ? 'active' : `${attention.severity}: ${attention.brief ?? attention.cause}`;
  return { link: formatLink({ kind: 'hostname', hostname }), note };
}

function describeWorker({ name, modifiedOn }: WorkerSummary): Described {
  const note = modifiedOn === undefined ? '' : `modified ${modifiedOn.slice(0, 10)}`;
  return { link: formatLink({ kind: 'worker', name }), note };
}
