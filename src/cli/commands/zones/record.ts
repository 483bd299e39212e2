import type { ServedCount } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import type { UndoEntry } from '../../../model/undo/entry.ts';
import { recordTtlFault, type Zone, type ZoneDnsRecord } from '../../../model/zones/zone.ts';
import { countServedBy } from '../../../services/hostnames/served.ts';
import type { Session } from '../../../services/session/session.ts';
import {
  type AroundRecord,
  deleteZoneRecord,
  findZoneRecords,
  isHost,
  nameIn,
  type SetRecord,
  type SettableType,
  settableTypes,
  setZoneRecords,
  type TouchedRecords,
  toContents,
} from '../../../services/zones/records.ts';
import { listZoneRecords, listZones, type SkippedRecords } from '../../../services/zones/zones.ts';
import { skippedRecords } from '../../../text/dns-records.ts';
import { describeOrigin } from '../../../text/hostname.ts';
import { answerTable } from '../../output/answer-table.ts';
import { type Context, command } from '../../parsing/command.ts';
import { openZone } from '../hostnames/zone-choice.ts';
import { formatCount } from '../objects/report.ts';
import { openUndoRecorder, type UndoFlags } from '../undo/undo-recorder.ts';
import type * as declared from './declarations.ts';

export const zoneListCommand = command<typeof declared.zoneList>({
  async run(context) {
    const session = await context.session();
    const zones: Zone[] = [];
    for await (const page of listZones(session)) zones.push(...page);
    if (context.output.json) await context.output.answerJson(zones);
    else await answerZones(context, zones);
  },
});

async function answerZones(context: Context, zones: readonly Zone[]): Promise<void> {
  const rows = zones.map(({ id, name, status, paused }) => [
    name,
    id,
    [status ?? '', ...(paused === true ? ['paused'] : [])].join(', '),
  ]);
  await answerTable(context, ['ZONE', 'ID', 'STATUS'], rows);
  context.output.note(`${formatCount(zones.length, 'zone')}.`, { count: zones.length });
}

export const recordListCommand = command<typeof declared.recordList>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const name = args.NAME === undefined ? undefined : await nameIn(session, zoneId, args.NAME);
    const records = await listZoneRecords(session, zoneId, { name, type: flags.type }, noteSkipped(context));
    if (context.output.json) await context.output.answerJson(records);
    else await answerRecords(context, records);
  },
});

function noteSkipped({ output }: Context): SkippedRecords {
  return (count, malformed) => output.warn(skippedRecords(count, malformed));
}

async function answerRecords(context: Context, records: readonly ZoneDnsRecord[]): Promise<void> {
  const rows = records.map((record) => [
    record.name,
    record.type,
    parseTtl(record),
    describeWay(record),
    record.content,
  ]);
  await answerTable(context, ['NAME', 'TYPE', 'TTL', 'PROXY', 'CONTENT'], rows);
  context.output.note(`${formatCount(records.length, 'DNS record')}.`, { count: records.length });
}

function parseTtl({ ttl }: ZoneDnsRecord): string {
  return ttl === undefined ? '' : ttl === 1 ? 'auto' : String(ttl);
}

function describeWay({ proxied }: ZoneDnsRecord): string {
  return proxied === true ? 'proxied' : 'DNS only';
}

export const recordSetCommand = command<typeof declared.recordSet>({
  async run(context, { args, flags }) {
    const type = parseType(args.TYPE);
    if (flags.proxied && flags['dns-only'])
      throw new Problem('usage', '--proxied and --dns-only cannot be used together.');
    checkTtl(flags.ttl);
    const { session, zoneId } = await openZone(context, flags);
    const contents = toContents(type, args.CONTENT);
    const wanted = {
      name: args.NAME,
      type,
      contents,
      proxied: flags.proxied ? true : flags['dns-only'] ? false : undefined,
      ttl: flags.ttl,
      beside: flags.add,
    };
    // If several records change, nothing is saved for undo.
    const keeping = contents.length === 1 ? await openUndoRecorder(context, flags, 'by default') : undefined;
    let saved: { readonly undo?: string } = {};
    const around =
      keeping === undefined
        ? undefined
        : await aroundOne(session, zoneId, (entry) => {
            saved = keeping.report(entry);
          });
    const agree = (touched: TouchedRecords) =>
      confirmServed(context, session, zoneId, { ...touched, type, isBare: flags['dns-only'] });
    const done = await setZoneRecords(session, zoneId, wanted, around, agree, noteSkipped(context));
    if (context.output.json) await context.output.answerJson(done.map((one) => ({ ...one, ...saved })));
    else
      for (const one of done)
        await context.output.line(`${outcomes[one.outcome]} ${formatLine(one.record)}.`);
  },
});

async function aroundOne(
  session: Session,
  zoneId: string,
  onSaved: (entry: UndoEntry | undefined) => void,
): Promise<AroundRecord> {
  const { saveRecordsAround } = await import('../../../services/undo/records.ts');
  return saveRecordsAround(session, zoneId, onSaved);
}

interface Touch extends TouchedRecords {
  readonly type: string;
  /** Whether the records become DNS only. */
  readonly isBare: boolean;
}

/** Asks for confirmation before changing a record that receives custom hostnames' requests, or adding another record with the same name. */
async function confirmServed(
  { ask }: Context,
  session: Session,
  zoneId: string,
  { records, added, type, isBare }: Touch,
): Promise<void> {
  const [record] = records;
  if (ask.isAnswered || record === undefined || !isHost(record.type)) return;
  const served = await countServedBy(session, zoneId, [record.name]);
  if (served === undefined) return;
  const now = records.map(formatLine).join('; ');
  if (added.length > 0) {
    const fresh = `${type} ${added.join(', ')}`;
    const words = describeOrigin(served, false);
    await ask.confirm(
      `Add ${fresh} next to ${now} on ${session.label}? ${words}`,
      `${fresh} would be added next to ${now}. ${words}`,
    );
    return;
  }
  const words = describeOrigin(served, isBare && records.some(({ proxied }) => proxied === true));
  await ask.confirm(
    `Change ${now} on ${session.label}? ${words}`,
    `The record ${now} would be changed. ${words}`,
  );
}

const outcomes: Readonly<Record<SetRecord['outcome'], string>> = {
  made: 'Created',
  changed: 'Changed to',
  there: 'Already exists:',
};

function formatLine(record: ZoneDnsRecord): string {
  const { name, type, content, proxied } = record;
  return `${name} ${type} ${content}${proxied === true ? ', proxied' : ''}`;
}

function parseType(text: string): SettableType {
  const found = settableTypes.find((type) => type === text.toUpperCase());
  if (found !== undefined) return found;
  throw new Problem('usage', `TYPE must be one of ${settableTypes.join(', ')}, not "${text}".`);
}

function checkTtl(ttl: number | undefined): void {
  const fault = ttl === undefined ? undefined : recordTtlFault(ttl);
  if (fault !== undefined) throw new Problem('usage', `--ttl ${fault}, not ${ttl}.`);
}

/** Deletes records. Saves a single record for undo, but not several. */
async function deleteRecords(
  context: Context,
  session: Session,
  zoneId: string,
  records: readonly ZoneDnsRecord[],
  flags: UndoFlags,
): Promise<{ readonly undo?: string }> {
  const [one] = records;
  const keeping = records.length === 1 ? await openUndoRecorder(context, flags, 'by default') : undefined;
  if (one !== undefined && keeping !== undefined) {
    const { deleteRecordWithUndo } = await import('../../../services/undo/records.ts');
    return keeping.report(await deleteRecordWithUndo(session, zoneId, one));
  }
  for (const { id } of records) await deleteZoneRecord(session, zoneId, id);
  return {};
}

/** Counts the custom hostnames whose origin is the name of these records; undefined if there are no such hostnames. */
async function servedByAll(
  session: Session,
  zoneId: string,
  [record]: readonly ZoneDnsRecord[],
): Promise<ServedCount | undefined> {
  if (record === undefined || !isHost(record.type)) return undefined;
  return countServedBy(session, zoneId, [record.name]);
}

export const recordDeleteCommand = command<typeof declared.recordDelete>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const found = await findZoneRecords(
      session,
      zoneId,
      args.NAME,
      args.TYPE,
      args.CONTENT,
      noteSkipped(context),
    );
    const lines = found.map((record) => `  ${formatLine(record)}`);
    const what = formatCount(found.length, 'DNS record');
    const served = context.ask.isAnswered ? undefined : await servedByAll(session, zoneId, found);
    const origin = served === undefined ? [] : [describeOrigin(served, false)];
    const lost = [`${what} would be deleted:`, ...lines, ...origin];
    await context.ask.confirm(
      [...lost, `Delete ${found.length === 1 ? 'this DNS record' : `these ${what}`} on ${session.label}?`],
      `${lost.join('\n')}\n`,
    );
    const saved = await deleteRecords(context, session, zoneId, found, flags);
    if (context.output.json) await context.output.answerJson(found.map((one) => ({ ...one, ...saved })));
    else for (const record of found) await context.output.line(`Deleted ${formatLine(record)}.`);
  },
});
