import type { AuditEntry } from '../../../model/guard/audit.ts';
import { Problem } from '../../../model/problem.ts';
import { followAudit, listAudit, readAuditLines, verifyAudit } from '../../../services/guard/read-audit.ts';
import { jsonText } from '../../../text/json.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

/** Default maximum number of listed requests. */
const defaultLimit = 50;

export const listCommand = command<typeof declared.auditList>({
  async run({ world, output }, { flags }) {
    const limit = flags.limit ?? defaultLimit;
    if (limit < 0)
      throw new Problem('usage', `--limit must be at least 0, not ${limit}. 0 lists all requests.`);
    const all = (await listAudit(world)).filter((entry) => isWanted(entry, flags));
    const entries = limit === 0 ? all : all.slice(-limit);
    if (output.json) return void (await output.answerJson(entries));
    if (entries.length === 0) output.note('No requests found in the audit log.');
    for (const entry of entries) await output.line(formatEntry(entry));
    return undefined;
  },
});

export const showCommand = command<typeof declared.auditShow>({
  async run({ world, output }, { args }) {
    const entry = (await listAudit(world)).find(({ number }) => String(number) === args.NUMBER);
    if (entry === undefined)
      throw new Problem('not-found', `Request "${args.NUMBER}" not found in the audit log.`, {
        hint: 'To list all requests with their numbers: edgectl audit list --limit 0',
      });
    if (output.json) return void (await output.answerJson(entry));
    for (const [name, value] of Object.entries(entry)) {
      const label = name.padEnd(10);
      // Names can contain commas and spaces, so each name is printed as JSON, which is also escaped for a terminal.
      if (Array.isArray(value))
        await output.listing(`${label} ${value.map((one) => jsonText(one)).join(', ')}\n`);
      else await output.line(`${label} ${value}`);
    }
    return undefined;
  },
});

export const verifyCommand = command<typeof declared.auditVerify>({
  async run({ world, output }) {
    const { records, first, last, torn, faults } = await verifyAudit(world);
    const code = faults.length > 0 ? 7 : 0;
    if (output.json) {
      await output.answerJson({
        records,
        ...(first !== undefined && { first }),
        ...(last !== undefined && { last: last.number, hash: last.hash }),
        torn,
        faults,
      });
      return code;
    }
    for (const { file, line, why } of faults) await output.line(`${file}:${line}: ${why}`);
    if (torn > 0)
      output.note(`Incomplete lines: ${torn}. A killed process or a full disk can leave such lines behind.`);
    const state =
      faults.length === 0 ? 'no changes found before the last record' : `faults: ${faults.length}`;
    const end = last === undefined ? '' : ` Last record: ${last.number}, SHA-256 ${last.hash}.`;
    await output.line(`Records: ${records}; ${state}.${end}`);
    return code;
  },
});

export const followCommand = command<typeof declared.auditFollow>({
  async run({ world, output }, { flags }) {
    await followAudit(world, async (entry) => {
      if (!isWanted(entry, flags)) return;
      await (output.json ? output.answerJsonLine(entry) : output.line(formatEntry(entry)));
    });
    return 0;
  },
});

export const exportCommand = command<typeof declared.auditExport>({
  async run({ world, output }) {
    for await (const { text } of readAuditLines(world)) await output.answer(`${text}\n`);
  },
});

function isWanted(
  entry: AuditEntry,
  { client, refused }: { client: string | undefined; refused: boolean },
): boolean {
  return (client === undefined || entry.client === client) && (!refused || entry.outcome === 'refused');
}

function formatEntry(entry: AuditEntry): string {
  const {
    number,
    at,
    client,
    command: words,
    method,
    route,
    path,
    name,
    bucket,
    count,
    account,
    zone,
    outcome,
    status,
    rule,
    approver,
    refusals,
  } = entry;
  const program = words === undefined ? client : `${client} ${words}`;
  const result = outcome === 'answered' ? String(status) : outcome;
  const place = account === undefined ? zone && `zone ${zone}` : `account ${account}`;
  const items = count !== undefined && count > 1 ? `${count} items` : undefined;
  const concerns = [name ?? items, bucket && `bucket ${bucket}`, place].filter((one) => one !== undefined);
  const target = `${method} ${route ?? path ?? ''}`;
  const approved = approver === undefined ? '' : ` approved by ${approver}`;
  const counted = refusals === undefined ? '' : ` (the last of ${refusals.toLocaleString('en')} requests)`;
  const why = outcome === 'refused' ? ` by rule "${rule}"${counted}` : approved;
  return `${String(number).padStart(6)}  ${at}  ${result}${why}  ${program}  ${target}  ${concerns.join(', ')}`;
}
