import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FleetEvent, WatchedHostname } from '../../../src/model/hostnames/fleet/events.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { Progress } from '../../../src/model/progress.ts';
import { openWatchFiles, type WatchMemory } from '../../../src/services/hostnames/fleet/watch-files.ts';
import { type FleetWatch, FleetWatcher } from '../../../src/services/hostnames/fleet/watch-fleet.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';
import { type Reply, refusal, result, stubPlatform } from './platform.ts';

const state = { status: 'active', certificate: 'active', kind: 'moved', who: 'customer', basis: 'record' };

function eventOf(id: string): FleetEvent {
  const about = { hostname: 'shop.acme.com', hostnameId: 'h', zoneId: 'z', at: '2026-11-21T10:00:00.000Z' };
  return {
    version: 1,
    id,
    type: 'changed',
    ...about,
    before: state,
    after: { status: 'moved', certificate: 'none' },
  };
}

const watched: WatchedHostname = { id: 'h', hostname: 'shop.acme.com', ...state };
const memory: WatchMemory = {
  hostnames: new Map([['h', watched]]),
  first: 5,
  events: [eventOf('a'), eventOf('b'), eventOf('c')],
};

describe('the state file of a watch', () => {
  function files() {
    const world = testWorld();
    const folder = join(world.folders.state, 'watches');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const write = (content: object) => {
      const saved = { version: 1, hostnames: [watched], first: 5, events: memory.events, ...content };
      const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
      writeFileSync(join(folder, name), JSON.stringify(saved), { mode: 0o600 });
    };
    return { world, folder, write, open: (...watch: readonly unknown[]) => openWatchFiles(world, watch) };
  }

  test('belongs to one watch, and only its owner can read it', async () => {
    const { open, folder } = files();
    expect(await open('z', 'moved').read()).toBeUndefined();
    await open('z', 'moved').write(memory);
    expect(await open('z', 'moved').read()).toEqual(memory);
    expect(await open('z', '').read()).toBeUndefined();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test.each([
    [4, 5, ['a', 'b', 'c']],
    [5, 6, ['b', 'c']],
    [7, 8, []],
    // The number is outside the range of the events' numbers, as after a loss or a rewrite of the state.
    [99, 8, []],
    [1, 5, ['a', 'b', 'c']],
  ])('omits delivered events, up to event %i', async (number, first, left) => {
    const { open } = files();
    await open('z').write(memory);
    await open('z').deliver(number);
    const read = await open('z').read();
    expect(read?.first).toBe(first);
    expect(read?.events.map(({ id }) => id)).toEqual(left);
  });

  test('loses the count of delivered events together with the saved state', async () => {
    const { open } = files();
    await open('z').deliver(7);
    expect(await open('z').read()).toBeUndefined();
    await open('z').write(memory);
    expect((await open('z').read())?.events).toHaveLength(3);
  });

  test.each<[string, object]>([
    ['of an unknown version', { version: 0 }],
    ['without hostnames', { hostnames: undefined }],
    ['with a hostname without an id', { hostnames: [{ ...watched, id: undefined }] }],
    ['with a hostname without a name', { hostnames: [{ ...watched, hostname: undefined }] }],
    ['with a hostname without a status', { hostnames: [{ ...watched, status: undefined }] }],
    ['with a hostname without a certificate', { hostnames: [{ ...watched, certificate: 7 }] }],
    ['with a kind that is not a string', { hostnames: [{ ...watched, kind: 7 }] }],
    ['without the number of its first event', { first: '5' }],
    ['with an event of another kind', { events: [{ ...eventOf('a'), type: 'went' }] }],
    ['with an event of another version', { events: [{ ...eventOf('a'), version: 2 }] }],
    ['with an event without an id', { events: [{ ...eventOf('a'), id: undefined }] }],
    ['with an event without a time', { events: [{ ...eventOf('a'), at: undefined }] }],
    ['with an event without a zone', { events: [{ ...eventOf('a'), zoneId: undefined }] }],
    ['with an event without a hostname', { events: [{ ...eventOf('a'), hostname: undefined }] }],
    ['with an event without a hostname ID', { events: [{ ...eventOf('a'), hostnameId: undefined }] }],
    ['with an event whose state after it is invalid', { events: [{ ...eventOf('a'), after: {} }] }],
    ['with an event whose state before it is invalid', { events: [{ ...eventOf('a'), before: 'active' }] }],
  ])('is ignored if invalid: %s', async (_what, wrong) => {
    const { open, write } = files();
    await open('z').write(memory);
    write({});
    expect(await open('z').read()).toEqual(memory);
    write(wrong);
    expect(await open('z').read()).toBeUndefined();
  });

  test('is used by one process at a time', async () => {
    const world = testWorld();
    const open = (name: string) => openWatchFiles(world, [name]);
    const outcome = await open('z').alone(async () => {
      await expect(open('z').alone(async () => 'both')).rejects.toMatchObject({ code: 'store-busy' });
      return open('other').alone(async () => 'other');
    });
    expect(outcome).toBe('other');
    expect(await open('z').alone(async () => 'later')).toBe('later');
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Row {
  readonly id: string;
  readonly hostname: string;
  readonly status: string;
  readonly ssl?: object;
}

function row(name: string, status = 'active'): Row {
  return { id: `id-${name}`, hostname: `${name}.acme.com`, status, ssl: { status: 'active' } };
}

/** Creates a zone whose list the test changes, with a clock that only sleeps advance, and records the reported events. */
function fleet(...rows: readonly Row[]) {
  const listed = [...rows];
  /** Hostnames that exist, but that the list omits. */
  const hidden: Row[] = [];
  const clock = { now: Date.UTC(2026, 10, 21) };
  const slept: number[] = [];
  const notes: string[] = [];
  const messages: Progress[] = [];
  const warnings: string[] = [];
  const fields: unknown[] = [];
  let failure: (() => Reply) | undefined;
  let afterSleep: () => void = () => undefined;
  const { session: real, calls } = stubPlatform(({ path, query }) => {
    const fault = failure?.();
    if (fault !== undefined) return fault;
    const id = path.split('/custom_hostnames/')[1];
    if (id !== undefined) {
      const found = [...listed, ...hidden].find((one) => one.id === id);
      return found && result(found);
    }
    const page = Number(query.get('page'));
    const shown = listed.slice(50 * page - 50, 50 * page);
    const pages = Math.max(1, Math.ceil(listed.length / 50));
    const info = { page, per_page: 50, count: shown.length, total_pages: pages, total_count: listed.length };
    return result(shown, info);
  });
  mkdirSync(join(real.world.folders.state, 'watches'), { recursive: true, mode: 0o700 });
  const stop = new AbortController();
  const world: Session['world'] = {
    ...real.world,
    now: () => clock.now,
    interrupted: stop.signal,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      clock.now += milliseconds;
      afterSleep();
      signal?.throwIfAborted();
    },
  };
  const session: Session = { ...real, world, note: (text) => notes.push(text) };
  const reporter = {
    progress: (one: Progress) => messages.push(one),
    warn: (message: unknown, about: unknown) => {
      warnings.push(String(message));
      fields.push(about);
    },
  };
  const usual: FleetWatch = {
    zoneId: 'z',
    status: undefined,
    interval: 60,
    timeout: 0,
    sink: undefined,
    reporter,
  };
  const open = (watch: Partial<FleetWatch> = {}) => new FleetWatcher(session, { ...usual, ...watch });
  /** Runs a watch until it ends, and returns the events as strings. */
  const watch = async (options: Partial<FleetWatch> = {}): Promise<string[]> => {
    const events: string[] = [];
    for await (const { type, hostname } of open(options).events()) events.push(`${type} ${hostname}`);
    return events;
  };
  return {
    ...{
      listed,
      hidden,
      clock,
      slept,
      notes,
      told: messages,
      warnings,
      fields,
      calls,
      stop,
      session,
      open,
      watch,
    },
    failWith: (next: (() => Reply) | undefined) => {
      failure = next;
    },
    onSleep: (next: () => void) => {
      afterSleep = next;
    },
  };
}

const outOfOrder = () => refusal(503, 10001, 'Out of order.');

describe('a watch of a fleet', () => {
  test('takes its baseline at the first reading, and reads again after each pause until its end', async () => {
    const { watch, notes, slept, told: messages, listed, onSleep, calls, session } = fleet(row('a'));
    onSleep(() => listed.push(row(`n${listed.length}`)));
    expect(await watch({ timeout: 120 })).toEqual(['appeared n1.acme.com', 'appeared n2.acme.com']);
    expect(notes).toEqual(['1 hostname read for the first time; later changes are reported.']);
    expect(slept).toEqual([60_000, 60_000]);
    // Earlier versions used this file name, and their state remains valid.
    const name = sha256('["https://api.platform.invalid/client/v4","z","",[]]').slice(0, 40);
    const names = readdirSync(join(session.world.folders.state, 'watches'));
    expect(names.sort()).toEqual([`${name}.done`, `${name}.json`]);
    expect(calls).toHaveLength(3);
    expect(messages[0]).toEqual({ phase: 'reading', unit: 'hostnames', done: 1, retries: 0, failed: 0 });
  });

  test('leaves half of the request budget to other commands: a page takes at least half a second', async () => {
    const { watch, slept } = fleet(...Array.from({ length: 150 }, (_, at) => row(`n${at}`)));
    await watch({ interval: 1, timeout: 1 });
    expect(slept).toEqual([1500]);
  });

  test('continues until it is interrupted if it has no end', async () => {
    const { watch, slept, stop, onSleep } = fleet(row('a'));
    onSleep(() => {
      if (slept.length === 5) stop.abort();
    });
    await expect(watch({ timeout: undefined })).rejects.toThrow(/abort/i);
    expect(slept).toHaveLength(5);
  });

  test('with a status, reports changes from or to the status, and keeps all other state', async () => {
    const { watch, listed } = fleet(row('a'), row('b'));
    await watch({ status: 'moved' });
    listed[0] = row('a', 'pending');
    expect(await watch({ status: 'moved' })).toEqual([]);
    listed[0] = row('a', 'moved');
    listed[1] = row('b', 'pending');
    expect(await watch({ status: 'moved' })).toEqual(['changed a.acme.com']);
    expect(await watch({ status: 'moved' })).toEqual([]);
  });

  test('writes nothing while nothing changes', async () => {
    const { watch, session, listed } = fleet(row('a'));
    await watch();
    const folder = join(session.world.folders.state, 'watches');
    const file = (): number => {
      const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
      return statSync(join(folder, name)).ino;
    };
    const before = file();
    await watch();
    expect(file()).toBe(before);
    listed.push(row('b'));
    await watch();
    expect(file()).not.toBe(before);
  });

  test('retries after a failed reading, and fails if it has only one reading', async () => {
    const { watch, failWith, onSleep, warnings, listed, open } = fleet(row('a'));
    await watch();
    listed.push(row('b'));
    failWith(outOfOrder);
    await expect(watch()).rejects.toMatchObject({ code: 'unavailable' });
    expect(warnings).toEqual([]);
    onSleep(() => failWith(undefined));
    const watcher = open({ timeout: 60 });
    const events = [];
    for await (const { hostname } of watcher.events()) events.push(hostname);
    expect(events).toEqual(['b.acme.com']);
    expect(warnings).toEqual([
      expect.stringMatching(/^The hostnames could not be read: .* Retrying at the next read\.$/),
    ]);
    expect(watcher.metrics()).toMatch(/^edgectl_watch_readings_total\{zone="z"\} 1$/m);
    expect(watcher.metrics()).toMatch(/^edgectl_watch_failed_readings_total\{zone="z"\} 1$/m);
  });

  test('fails if its last reading fails', async () => {
    const { watch, failWith, slept } = fleet(row('a'));
    failWith(outOfOrder);
    await expect(watch({ timeout: 60 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(slept).toEqual([60_000]);
    failWith(undefined);
    await watch();
    failWith(outOfOrder);
    await expect(watch({ timeout: 60 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('ends on failing credentials, and on an interruption during a reading', async () => {
    const { watch, failWith, warnings, stop } = fleet(row('a'));
    failWith(() => refusal(403, 10000, 'Authentication error'));
    await expect(watch({ timeout: 600 })).rejects.toMatchObject({ code: 'not-permitted' });
    failWith(() => {
      stop.abort();
      throw new Problem('unreachable', 'The connection was closed.');
    });
    await expect(watch({ timeout: 600 })).rejects.toMatchObject({ code: 'unreachable' });
    expect(warnings).toEqual([]);
  });

  test('reads hostnames missing from the list individually, and reports only missing hostnames as deleted', async () => {
    const { watch, listed, hidden, failWith, calls } = fleet(row('a'), row('b'), row('c'));
    await watch();
    hidden.push(row('a'));
    listed.splice(0, 2);
    calls.length = 0;
    expect(await watch()).toEqual(['gone b.acme.com']);
    expect(calls.slice(1)).toEqual([
      'GET /zones/z/custom_hostnames/id-a',
      'GET /zones/z/custom_hostnames/id-b',
    ]);
    // A failed read is not an answer, so no hostname is reported as gone.
    hidden.length = 0;
    let asked = 0;
    failWith(() => {
      asked += 1;
      return asked > 1 ? outOfOrder() : undefined;
    });
    await expect(watch()).rejects.toMatchObject({ code: 'unavailable' });
    failWith(undefined);
    expect(await watch()).toEqual(['gone a.acme.com']);
  });

  test("gives each event a permanent id, and the platform's time", async () => {
    const { open, listed, clock } = fleet(row('a'));
    const events: FleetEvent[] = [];
    const read = async () => {
      for await (const event of open().events()) events.push(event);
    };
    await read();
    for (const status of ['pending', 'active', 'pending']) {
      listed[0] = row('a', status);
      await read();
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    for (const { id } of events) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(events[0]).toMatchObject({ version: 1, at: new Date(clock.now).toISOString(), zoneId: 'z' });
  });

  test('repeats only the last event for a consumer that stops before it confirms the event', async () => {
    const { open, watch, listed } = fleet();
    await watch();
    listed.push(row('a'), row('b'), row('c'));
    const taken: string[] = [];
    for await (const { hostname } of open().events()) {
      taken.push(hostname);
      if (taken.length === 2) break;
    }
    expect(taken).toEqual(['a.acme.com', 'b.acme.com']);
    expect(await watch()).toEqual(['appeared b.acme.com', 'appeared c.acme.com']);
  });
});

describe('a watch with receivers', () => {
  /** Creates a sink that records events, and fails the requested number of times. */
  function sink(name = 'one') {
    const got: string[] = [];
    const failing = { left: 0 };
    return {
      got,
      failing,
      name: ['test', name],
      deliver: async ({ hostname }: FleetEvent) => {
        failing.left -= 1;
        if (failing.left >= 0) throw new Problem('refused', 'Not now.');
        got.push(hostname);
      },
    };
  }

  test('retries a delivery six times with doubling pauses, and then waits for the next reading', async () => {
    const { watch, listed, slept, warnings, fields, open, clock } = fleet();
    const to = sink();
    await watch({ sink: to });
    listed.push(row('a'), row('b'));
    to.failing.left = 3;
    expect(await watch({ sink: to })).toEqual(['appeared a.acme.com', 'appeared b.acme.com']);
    expect(slept).toEqual([1000, 2000, 4000]);
    expect(warnings[2]).toBe('Event not delivered (appeared a.acme.com): Not now. Retrying in 4 s.');
    expect(fields[2]).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    listed.push(row('c'));
    slept.length = 0;
    to.failing.left = 7;
    const watcher = open({ sink: to });
    const told = watcher.events();
    await expect(told.next()).rejects.toMatchObject({
      code: 'partly-done',
      message: '1 event is not delivered yet; the next watch will retry.',
    });
    expect(slept).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(warnings.at(-1)).toBe(
      'Event not delivered (appeared c.acme.com): Not now. Retrying at the next read.',
    );
    expect(watcher.metrics()).toMatch(/^edgectl_watch_waiting_events\{zone="z"\} 1$/m);
    expect(watcher.metrics()).toMatch(/^edgectl_watch_events_total\{zone="z",type="appeared"\} 1$/m);
    const readAt = (clock.now - 31_000) / 1000;
    expect(watcher.metrics()).toMatch(
      new RegExp(`^edgectl_watch_last_reading_timestamp_seconds\\{zone="z"\\} ${readAt}$`, 'm'),
    );
    listed.push(row('d'));
    to.failing.left = 6;
    await expect(watch({ sink: to })).rejects.toThrow(/^2 events are not delivered/);
    expect(await watch({ sink: to })).toEqual(['appeared c.acme.com', 'appeared d.acme.com']);
    expect(to.got).toEqual(['a.acme.com', 'b.acme.com', 'c.acme.com', 'd.acme.com']);
  });

  test('yields each event once, after its delivery', async () => {
    const { open, watch, listed } = fleet();
    const to = sink();
    await watch({ sink: to });
    listed.push(row('a'), row('b'));
    for await (const { hostname } of open({ sink: to }).events()) {
      expect(to.got).toEqual([hostname]);
      break;
    }
    expect(await watch({ sink: to })).toEqual(['appeared b.acme.com']);
  });

  test('tracks each receiver and each status separately', async () => {
    const { watch, listed, open } = fleet();
    const [one, other] = [sink(), sink('other')];
    const kinds = [{ sink: one }, { sink: other }, {}, { status: 'active' }, { zoneId: 'y' }];
    for (const kind of kinds) await watch(kind);
    listed.push(row('a'));
    for (const kind of kinds) expect(await watch(kind)).toEqual(['appeared a.acme.com']);
    const outcome = await open({ sink: one }).alone(async () => {
      await expect(open({ sink: one }).alone(async () => 'both')).rejects.toMatchObject({
        code: 'store-busy',
      });
      return open({ sink: other }).alone(async () => 'other');
    });
    expect(outcome).toBe('other');
  });

  test('ends on an interruption before the next delivery or during a failing delivery', async () => {
    const { watch, listed, stop } = fleet();
    const to = sink();
    const failing = {
      ...to,
      deliver: async () => {
        stop.abort();
        throw new Problem('unreachable', 'Given up.');
      },
    };
    await watch({ sink: failing });
    listed.push(row('a'));
    await expect(watch({ sink: failing })).rejects.toThrow('Given up.');
    expect(to.got).toEqual([]);
  });
});

test('shows no time and no counts in metrics before the first reading', () => {
  const text = fleet(row('a')).open().metrics();
  expect(text).not.toContain('edgectl_watch_last_reading_timestamp_seconds{');
  expect(text).toMatch(/^edgectl_watch_waiting_events\{zone="z"\} 0$/m);
  expect(text).not.toContain('edgectl_hostnames{');
});
