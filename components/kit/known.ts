import { isDeepStrictEqual } from 'node:util';
import { type Evidence, findAttention } from '../../src/model/hostnames/attention.ts';
import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import { formatLink } from '../../src/model/places/link.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';

/** Maximum number of links in memory. */
const maxLinks = 10_000;

/** The resources that lists have shown since the connection was opened. The palette offers these resources without a request. */
export class KnownPlaces {
  /** The facts that a list last showed for each link. */
  readonly #facts = new Map<string, readonly PlaceFact[]>();
  readonly #listeners = new Set<() => void>();
  #isAnnounced = true;
  #shown: ReadonlyMap<string, readonly PlaceFact[]> | undefined;

  /** Calls a listener after links or their facts have changed, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Returns the links in the order in which they were first seen, each with its facts. Returns the same map until a link or a fact changes.
   */
  readonly places = (): ReadonlyMap<string, readonly PlaceFact[]> => {
    this.#shown ??= new Map(this.#facts);
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
            for (const row of found.rows) places.#record(describeHostname(row));
            return found;
          },
        },
      }),
      ...(workers && {
        workers: {
          ...workers,
          async list(...asked) {
            const found = await workers.list(...asked);
            for (const worker of found) places.#record(describeWorker(worker));
            return found;
          },
        },
      }),
    };
  }

  async *#each<T>(pages: AsyncGenerator<T[]>, describe: (row: T) => Described): AsyncGenerator<T[]> {
    for await (const page of pages) {
      for (const row of page) this.#record(describe(row));
      yield page;
    }
  }

  #record({ link, facts }: Described): void {
    if (link === undefined) return;
    const before = this.#facts.get(link);
    if (isDeepStrictEqual(before, facts)) return;
    if (before === undefined && this.#facts.size >= maxLinks) return;
    this.#facts.set(link, facts);
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

/** A fact that a list shows about a resource. */
export interface PlaceFact {
  readonly label: 'id' | 'created' | 'location' | 'status' | 'modified';
  readonly value: string;
  /** The severity of a hostname's status, if the hostname needs attention. */
  readonly severity?: Severity;
}

/** Labels that a note omits, because their values are clear without a label. */
const omittedLabels: ReadonlySet<PlaceFact['label']> = new Set(['location', 'status']);

/** A part of a note: a severity, or other text. */
export interface NotePart {
  readonly text: string;
  readonly severity?: Severity;
}

/** Returns the parts of the note that states facts in one line: `created 2026-01-31 · weur`, or `critical: moved`. */
export function noteParts(facts: readonly PlaceFact[]): readonly NotePart[] {
  return facts.flatMap((fact, at) => {
    const start = (at === 0 ? '' : ' · ') + (omittedLabels.has(fact.label) ? '' : `${fact.label} `);
    return [...(start === '' ? [] : [{ text: start }]), ...valueParts(fact)];
  });
}

/** Formats facts as a note. */
export function formatNote(facts: readonly PlaceFact[]): string {
  return joinParts(noteParts(facts));
}

/** Formats the value of a fact, with its severity. */
export function formatFact(fact: PlaceFact): string {
  return joinParts(valueParts(fact));
}

function valueParts({ value, severity }: PlaceFact): readonly NotePart[] {
  return severity === undefined ? [{ text: value }] : [{ text: severity, severity }, { text: `: ${value}` }];
}

function joinParts(parts: readonly NotePart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** A resource: its link (undefined if its name cannot be part of a link), and its facts. */
interface Described {
  readonly link: string | undefined;
  readonly facts: readonly PlaceFact[];
}

function describeNamespace({ id, title }: Namespace): Described {
  const link = formatLink({ kind: 'keys', namespace: title, prefix: '' });
  return { link, facts: [{ label: 'id', value: id }] };
}

function describeBucket({ name, createdOn, location }: Bucket): Described {
  return {
    link: formatLink({ kind: 'objects', bucket: name, folder: '' }),
    facts: [
      ...dateFacts('created', createdOn),
      ...(location === undefined ? [] : [{ label: 'location', value: location } as const]),
    ],
  };
}

/** Describes a hostname in the words of the list of hostnames. */
function describeHostname(evidence: Evidence): Described {
  const { hostname } = evidence.record;
  const attention = findAttention(evidence);
  const status: PlaceFact =
    attention === undefined
      ? { label: 'status', value: 'active' }
      : { label: 'status', value: attention.brief ?? attention.cause, severity: attention.severity };
  return { link: formatLink({ kind: 'hostname', hostname }), facts: [status] };
}

function describeWorker({ name, modifiedOn }: WorkerSummary): Described {
  return { link: formatLink({ kind: 'worker', name }), facts: dateFacts('modified', modifiedOn) };
}

/** Returns the day of a timestamp as a fact; nothing if the timestamp is unknown. */
function dateFacts(label: 'created' | 'modified', timestamp: string | undefined): PlaceFact[] {
  return timestamp === undefined ? [] : [{ label, value: timestamp.slice(0, 10) }];
}
