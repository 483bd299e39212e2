import { isWithin } from '../../../src/model/dns/dns.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import type { ShownFinding } from './follow.ts';
import { pointHere } from './play.ts';
import type { Site } from './site.ts';
import { listParties } from './world.ts';

/** Values that the operator inserts for placeholders in the advice. */
const fillings: Readonly<Record<string, string>> = {
  '<address of your origin>': '8.8.8.8',
};

type Advised = NonNullable<ShownFinding['remedy']['records']>[number];

/** Words for a record at a zone's apex that the DNS provider resolves itself, such as ALIAS. */
const apexAlias = /ALIAS|ANAME|flatten/i;

/** Does exactly what the advice asks of a party, with the means of this party. Returns the steps that were not possible, with reasons. */
export async function followAdvice(
  site: Site,
  { id, who, cause, remedy }: ShownFinding,
  open: Set<string>,
): Promise<readonly string[]> {
  const isOurs = who === 'us';
  const records = (remedy.records ?? []).filter(({ name }) => isOurs === isWithinOurs(name));
  const problems: string[] = [];
  problems.push(...(await followWords(site, { who, text: `${cause} ${remedy.text}` }, open)));
  for (const record of records)
    if (isSeen(site, record, open)) problems.push(...(await setRecord(site, record, remedy.text)));
  const withCommand =
    remedy.command !== undefined && !(isOurs && remedy.command[1] === 'record' && records.length > 0);
  if (withCommand) problems.push(...(await run(site, remedy.command ?? [])));
  // The command is for the party that acts first; our side then restarts validation, as the advice says.
  if (/then restart validation/i.test(remedy.text) && remedy.command?.[1] !== 'refresh')
    problems.push(...(await run(site, ['hostname', 'refresh', site.host])));
  return problems.map((problem) => `cannot be carried out: ${id} (${who}) ${problem}`);
}

/** Returns true if a new record is visible. A record in a zone that has delegated the name is not visible. */
function isSeen({ world, host }: Site, { name }: Advised, open: ReadonlySet<string>): boolean {
  return !(
    isWithin(name, host) &&
    world.faults.some(({ fault }) => fault.hidesRecords === true && open.has(fault.id))
  );
}

/** Ends faults that only the provider can end: an abuse flag, and an authority that refuses or is silent. */
export async function undoProviderFaults(site: Site): Promise<void> {
  for (const { fault } of site.world.faults)
    if (listParties(fault, site.world).includes('provider')) await fault.undo?.(site);
}

function isWithinOurs(name: string): boolean {
  return name.endsWith('saas.sandbox');
}

/** Ends this party's faults that a person would recognize from the text of the advice. */
async function followWords(
  site: Site,
  { who, text }: { readonly who: string; readonly text: string },
  open: Set<string>,
): Promise<readonly string[]> {
  if (who === 'customer' && site.world.kind === 'apex' && apexAlias.test(text) && text.includes(site.target))
    await pointHere(site, 'instead');
  for (const { fault } of site.world.faults) {
    if (!open.has(fault.id) || fault.words?.test(text) !== true) continue;
    if (!listParties(fault, site.world).some((party) => party === who)) continue;
    await fault.undo?.(site);
    open.delete(fault.id);
  }
  return [];
}

async function run({ stage }: Site, command: readonly string[]): Promise<readonly string[]> {
  const argv = command.map((word) => fillings[word] ?? word);
  const unfilled = argv.find((word) => word.startsWith('<'));
  if (unfilled !== undefined) return [`${argv.join(' ')}: ${unfilled} is not known`];
  const ran = await stage.edgectl(...argv, '--yes');
  return ran.code === 0 ? [] : [`${argv.join(' ')}: ${ran.err.trim().split('\n').at(-1)}`];
}

async function setRecord(site: Site, record: Advised, text: string): Promise<readonly string[]> {
  const value = fillings[record.value] ?? record.value;
  if (value.startsWith('<')) return [`${record.type} ${record.name}: ${value} is not known`];
  if (isWithinOurs(record.name))
    return run(site, [
      'zone',
      'record',
      'set',
      record.name,
      record.type,
      value,
      ...(record.type === 'TXT' || record.type === 'CAA' ? [] : ['--proxied']),
    ]);
  const isTop = record.name === site.domain;
  if (isTop && record.type === 'CNAME') {
    if (!apexAlias.test(text)) return [`a CNAME at ${record.name}, a zone apex`];
    await replace(site, { ...record, type: 'A', value: edgeAddresses.own });
    return [];
  }
  await (record.type === 'CNAME' ? replace(site, { ...record, value }) : add(site, { ...record, value }));
  return [];
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly contents: readonly string[];
}

/** Replaces all records that route the name with one record, or removes them. */
async function replace(site: Site, { name, type, value, remove }: Advised): Promise<void> {
  await forgetProxied(site, name);
  if (type === 'CNAME') await site.forget(name);
  else for (const other of ['A', 'AAAA', 'CNAME']) await site.forget(name, other);
  if (remove !== true) await site.dns([name, type, value]);
}

/** Adds a record to the records of its name and type, or removes the record. */
async function add(site: Site, { name, type, value, remove }: Advised): Promise<void> {
  const there = await site.stage.api<Entry[]>('GET', `/sandbox/dns?name=${name}`);
  if (there.some((entry) => entry.type === 'CNAME')) await site.forget(name, 'CNAME');
  const present = there.find((entry) => entry.type === type)?.contents ?? [];
  const others = present.filter((one) => one !== value);
  const contents = remove === true ? others : [...others, value];
  if (contents.length > 0) await site.dns([name, type, ...contents]);
  else await site.forget(name, type);
}

/** Removes the name from the customer's own zone on the platform. */
async function forgetProxied({ stage, domain }: Site, name: string): Promise<void> {
  for (const { id } of await stage.api<{ id: string }[]>('GET', `/zones?name=${domain}`)) {
    const found = await stage.api<{ id: string }[]>('GET', `/zones/${id}/dns_records?name=${name}`);
    for (const record of found) await stage.api('DELETE', `/zones/${id}/dns_records/${record.id}`);
  }
}
