import { diagnose } from '../../src/model/diagnosis/diagnose.ts';
import { known } from '../../src/model/diagnosis/facts.ts';
import type { CustomHostname, HostnameCertificate } from '../../src/model/hostnames/hostname.ts';
import { hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import { createInstructions } from '../../src/model/instructions/instructions.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameService } from '../../src/services/console/hostnames.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { writtenInstructions } from '../../src/text/instructions/written.ts';
import { facts } from '../model/diagnosis/fixture.ts';

/** Custom hostnames in memory. Diagnoses use the real rules with facts that contain only the record. */
export interface MemoryHostnames {
  readonly service: HostnameService;
  readonly records: CustomHostname[];
  /** Requests in order: `list saas.com contains=a`, `refresh shop.acme.com`. */
  readonly calls: string[];
  zones: ZoneMenu;
  /** Times at which certificates were requested, and the time until which issuance is blocked. */
  issued: number[];
  blockedUntil: number | undefined;
  /** Changes a record without notifying the console. */
  change(hostname: string, change: Partial<CustomHostname>): void;
  /** Makes the next call to the named function fail with the problem. */
  failNext(name: keyof HostnameService, problem: Problem): void;
  pause: number;
  /**
   * Older records, one for each of the next diagnoses, because the platform is eventually consistent. Later diagnoses read the current
   * record.
   */
  readonly older: CustomHostname[];
  /** A note that is shown next to the instructions. */
  instructionNote?: string;
}

export const saas: Zone = { id: 'z'.repeat(32), name: 'saas.com' };

/**
 * Returns a custom hostname with a certificate. By default, the certificate of a pending hostname is pending, and any other certificate is
 * active.
 */
export function hostname(
  name: string,
  status = 'active',
  change: Partial<CustomHostname> = {},
  ssl: Partial<HostnameCertificate> = {},
): CustomHostname {
  return {
    id: `id-${name}`,
    hostname: name,
    status,
    created_at: '2026-11-11T10:00:00Z',
    ssl: {
      status: status === 'pending' ? 'pending_validation' : 'active',
      method: 'http',
      type: 'dv',
      certificate_authority: 'google',
      ...ssl,
    },
    ...change,
  };
}

/** Creates a zone with these hostnames. `now` is the test's current time. */
export function memoryHostnames(records: CustomHostname[], now: number): MemoryHostnames {
  const calls: string[] = [];
  const failures = new Map<string, Problem>();
  const enter = async (name: keyof HostnameService, ...words: string[]) => {
    calls.push([name, ...words].join(' '));
    const failure = failures.get(name);
    failures.delete(name);
    if (failure !== undefined) throw failure;
  };
  const memory: MemoryHostnames = {
    records,
    calls,
    zones: { zones: [saas], more: false },
    issued: [],
    blockedUntil: undefined,
    pause: 60_000,
    older: [],
    change(name, change) {
      const at = records.findIndex((record) => record.hostname === name);
      const before = records[at];
      if (before !== undefined) records[at] = { ...before, ...change };
    },
    failNext: (name, problem) => void failures.set(name, problem),
    get service() {
      return service;
    },
  };
  const service: HostnameService = {
    ...zoneService(memory, enter),
    ...recordService(memory, enter, now),
    ...diagnosisService(memory, enter),
    pause: () => memory.pause,
  };
  return memory;
}

type ZoneMethod = 'findZone' | 'listZones' | 'takeZone' | 'readOverview' | 'readIssuance';
type Enter = (name: keyof HostnameService, ...words: string[]) => Promise<void>;

function createRow(record: CustomHostname, now: number): HostnameRow {
  const movedSeenAt = record.status === 'moved' ? now - 2.5 * 24 * 3_600_000 : undefined;
  return { record, readAt: now, movedSeenAt };
}

function zoneService(memory: MemoryHostnames, enter: Enter): Pick<HostnameService, ZoneMethod> {
  let taken: Zone | undefined;
  return {
    async findZone() {
      await enter('findZone');
      const [only, ...others] = memory.zones.zones;
      const zone = taken ?? (others.length === 0 ? only : undefined);
      return zone === undefined ? memory.zones : { zone };
    },
    async listZones() {
      await enter('listZones');
      return memory.zones;
    },
    takeZone(zone) {
      taken = zone;
    },
    async readOverview(zoneId) {
      await enter('readOverview', zoneId);
      return {
        fallback: known({ origin: 'origin.saas.com', status: 'active' }),
        quota: known({ allocated: 100, used: memory.records.length }),
        ahead: 0,
      };
    },
    async readIssuance() {
      const { issued, blockedUntil } = memory;
      const limit = hostnameLimits.issuances;
      return { limit, issued, ...(blockedUntil !== undefined && { blockedUntil }) };
    },
  };
}

function recordService(
  memory: MemoryHostnames,
  enter: Enter,
  now: number,
): Omit<
  HostnameService,
  ZoneMethod | 'diagnose' | 'carryOut' | 'readInstructions' | 'instructions' | 'saveInstructions' | 'pause'
> {
  const { records } = memory;
  const replaced = (record: CustomHostname): HostnameRow => {
    memory.change(record.hostname, record);
    return createRow(record, now);
  };
  return {
    async *list(zoneId, { contains, onTotal }) {
      const found = records.filter((record) => record.hostname.includes(contains));
      for (let at = 0; at === 0 || at < found.length; at += 50) {
        await enter('list', zoneId, `contains=${contains}`, `from=${at}`);
        onTotal?.(found.length);
        yield found.slice(at, at + 50).map((record) => createRow(record, now));
      }
    },
    async urgent(zoneId) {
      await enter('urgent', zoneId);
      return { rows: records.map((record) => createRow(record, now)), isWhole: true, ahead: 0 };
    },
    async read(_, id) {
      await enter('read', id);
      const found = records.find((record) => record.id === id);
      if (found === undefined) throw new Problem('not-found', 'There is no such custom hostname.');
      return createRow(found, now);
    },
    async readAgain(_, ids) {
      const changes = ids.map(async (id) => {
        await enter('readAgain', id);
        const found = records.find((record) => record.id === id);
        return { id, row: found && createRow(found, now) };
      });
      return Promise.all(changes);
    },
    async create(_, wanted) {
      await enter('create', JSON.stringify(wanted));
      const record = hostname(wanted.hostname, 'pending');
      records.unshift(record);
      memory.issued = [...memory.issued, now];
      return createRow(record, now);
    },
    async refresh(_, record) {
      await enter('refresh', record.hostname);
      return { row: replaced({ ...record, status: 'pending' }), canUndo: false };
    },
    async edit(_, record, { authority = 'default', ...inputs }) {
      await enter('edit', record.hostname, authority, JSON.stringify(inputs));
      const ssl = { ...record.ssl, certificate_authority: authority };
      return { row: replaced({ ...record, ssl }), canUndo: true };
    },
    async remove(_, { id }) {
      await enter('remove', id);
      records.splice(
        records.findIndex((record) => record.id === id),
        1,
      );
      return false;
    },
  };
}

function diagnosisService(
  memory: MemoryHostnames,
  enter: Enter,
): Pick<HostnameService, 'diagnose' | 'carryOut' | 'readInstructions' | 'instructions' | 'saveInstructions'> {
  return {
    async readInstructions(_, record) {
      await enter('readInstructions', record.hostname);
      const gathered = facts({ hostname: record.hostname, record: known(record) });
      return { instructions: createInstructions(gathered, diagnose(gathered)), note: memory.instructionNote };
    },
    async instructions(_, record, format) {
      await enter('instructions', record.hostname, format);
      const gathered = facts({ hostname: record.hostname, record: known(record) });
      const message = createInstructions(gathered, diagnose(gathered));
      return { text: writtenInstructions(format, message), note: memory.instructionNote };
    },
    async saveInstructions(name, text) {
      await enter('saveInstructions', name, text.split('\n')[0] ?? '');
    },
    async diagnose(_, name) {
      await enter('diagnose', name);
      const current = memory.records.find((record) => record.hostname === name);
      const found = memory.older.shift() ?? current;
      const gathered = facts({ hostname: name, record: known(found ?? null) });
      return { facts: gathered, diagnosis: diagnose(gathered) };
    },
    async carryOut(_, steps) {
      await enter('carryOut', ...steps.map(({ kind }) => kind));
      for (const step of steps) {
        if (step.kind === 'refresh')
          memory.change(step.record.hostname, { ...step.record, status: 'active' });
      }
      return steps.map((step) => ({ step }));
    },
  };
}
