import type { TraceEvent } from '../../../model/workers/trace.ts';
import { matchesFilters, type TraceFilter } from '../../../model/workers/trace-filter.ts';
import type { TextSocket } from './web-socket.ts';

/** A subscription to the runs of a worker. One client at a time receives the runs over a WebSocket. */
export interface Tail {
  /** The id of the tail, which is also the last part of its address. A client that knows the id needs no credentials to listen. */
  readonly id: string;
  readonly worker: string;
  readonly filters: readonly TraceFilter[];
  /** Milliseconds since the UNIX epoch. */
  readonly expiresAt: number;
}

/** The tails of a server. Tails are in memory and end with the server. */
export interface Tails {
  /** Base URL of the WebSockets: `ws://127.0.0.1:<port>`. */
  readonly baseUrl: string;
  /**
   * Adds and returns a tail; undefined if the worker already has the maximum number of tails. Resolves once all later runs are sure to be
   * reported. `mayListen` determines the addresses that may open the socket of the tail (default: all).
   */
  add(
    worker: string,
    filters: readonly TraceFilter[],
    mayListen?: (address: string) => boolean,
  ): Promise<Tail | undefined>;
  /** Returns the tails of a worker, newest first. */
  forWorker(worker: string): readonly Tail[];
  /** Ends a tail and its socket. Returns whether the tail existed. */
  remove(worker: string, id: string): boolean;
  has(id: string): boolean;
  /** Returns whether the socket of a tail may be opened from an address. */
  mayListen(id: string, address: string): boolean;
  /** Sends a tail's events over a socket, and closes the tail's previous socket. */
  listen(id: string, socket: TextSocket): void;
  /** Publishes runs of a worker to its tails. */
  publish(worker: string, events: readonly TraceEvent[]): void;
  /** Returns the workers that have a tail. */
  workers(): readonly string[];
  /** Ends all tails. */
  close(): void;
}

export interface TailsOptions {
  readonly baseUrl: string;
  now(): number;
  random(bytes: number): Uint8Array;
  /** Called whenever the set of workers that have a tail changes. */
  onChange(): Promise<void> | void;
  /** Lifetime of a tail, in milliseconds. */
  readonly lifetime?: number;
}

export const tailLimits = {
  /** Maximum number of tails of a worker, as on the platform. */
  listeners: 10,
  /** Maximum number of unsent bytes for a client. Further events are dropped and counted. */
  waiting: 4 * 1024 * 1024,
  /** Maximum number of events stored for a client until it connects. */
  early: 100,
} as const;
const sixHours = 6 * 60 * 60 * 1000;

interface Entry extends Tail {
  readonly mayListen: (address: string) => boolean;
  readonly end: NodeJS.Timeout;
  socket?: TextSocket | undefined;
  /** Events that arrived before the first connection; undefined once a client has connected. */
  early: TraceEvent[] | undefined;
  dropped: number;
}

export function openTails(options: TailsOptions): Tails {
  const { now, random, onChange, lifetime = sixHours } = options;
  const entries = new Map<string, Entry>();
  const of = (worker: string) => [...entries.values()].filter((entry) => entry.worker === worker).reverse();
  const drop = (entry: Entry, code: number, reason: string) => {
    clearTimeout(entry.end);
    entries.delete(entry.id);
    entry.socket?.close(code, reason);
    void onChange();
  };
  const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  return {
    baseUrl: options.baseUrl,
    async add(worker, filters, mayListen = () => true) {
      const others = of(worker);
      if (others.length >= tailLimits.listeners) {
        // Replaces the oldest tail whose client has disconnected.
        const left = others.findLast(({ socket, early }) => socket === undefined && early === undefined);
        if (left === undefined) return undefined;
        drop(left, 1001, 'Replaced by another tail.');
      }
      const id = Buffer.from(random(16)).toString('hex');
      // After this close code, the client requests a new tail.
      const end = setTimeout(() => drop(entry, 1001, 'The tail has expired.'), lifetime);
      end.unref();
      const expiresAt = now() + lifetime;
      const entry: Entry = { id, worker, filters, mayListen, expiresAt, end, early: [], dropped: 0 };
      entries.set(id, entry);
      await onChange();
      return entry;
    },
    forWorker: of,
    remove(worker, id) {
      const entry = entries.get(id);
      if (entry?.worker !== worker) return false;
      drop(entry, 1000, 'The tail was deleted.');
      return true;
    },
    has: (id) => entries.has(id),
    mayListen: (id, address) => entries.get(id)?.mayListen(address) === true,
    listen(id, socket) {
      const entry = entries.get(id);
      if (entry === undefined) return socket.close(1001, 'The tail has ended.');
      attach(entry, socket);
    },
    publish(worker, events) {
      for (const entry of of(worker)) {
        for (const event of events)
          if (matchesFilters(entry.filters, event, chance)) deliverEvent(entry, event);
      }
    },
    workers: () => [...new Set([...entries.values()].map(({ worker }) => worker))],
    close() {
      for (const entry of entries.values()) drop(entry, 1001, 'The sandbox is stopping.');
    },
  };
}

function attach(entry: Entry, socket: TextSocket): void {
  entry.socket?.close(1001, 'Another connection to this tail replaced this connection.');
  entry.socket = socket;
  socket.onDrained(() => entry.socket === socket && reportDropped(entry));
  socket.onClosed(() => {
    if (entry.socket === socket) entry.socket = undefined;
  });
  const early = entry.early ?? [];
  entry.early = undefined;
  const dropped = entry.dropped;
  entry.dropped = 0;
  for (const event of early) deliverEvent(entry, event);
  entry.dropped += dropped;
  reportDropped(entry);
}

function deliverEvent(entry: Entry, event: TraceEvent): void {
  const { socket, early } = entry;
  const isFull =
    socket === undefined ? early?.length === tailLimits.early : socket.waiting() > tailLimits.waiting;
  if (isFull) {
    entry.dropped += 1;
    return;
  }
  if (socket === undefined) {
    early?.push(event);
    return;
  }
  reportDropped(entry);
  socket.send(JSON.stringify(event));
}

/** Reports how many events a slow client has lost, in the format of the platform's own notices. */
function reportDropped(entry: Entry): void {
  if (entry.dropped === 0) return;
  const count = entry.dropped === 1 ? '1 event was' : `${entry.dropped} events were`;
  const message = `${count} dropped, because this client reads too slowly.`;
  entry.dropped = 0;
  const note = { outcome: 'ok', scriptName: entry.worker, logs: [], exceptions: [] };
  entry.socket?.send(JSON.stringify({ ...note, event: { type: 'overload', message } }));
}
