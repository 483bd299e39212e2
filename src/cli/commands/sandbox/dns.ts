import { Problem } from '../../../model/problem.ts';
import {
  listSandboxDns,
  type SandboxDnsEntry,
  setSandboxDns,
  unsetSandboxDns,
  withSandbox,
} from '../../../services/sandbox/dns.ts';
import { command } from '../../parsing/command.ts';
import { chosenDir } from './choice.ts';
import type * as declared from './declarations.ts';

export const dnsSetCommand = command<typeof declared.dnsSet>({
  async run({ world, output, dryRun }, { args, flags }) {
    const { NAME: name, TYPE: type, CONTENT: contents = [] } = args;
    requireContent(name, type, contents);
    dryRun?.end('the sandbox', [{ does: 'set', what: [name, type, ...contents].join(' ') }]);
    const entries = await withSandbox(world, chosenDir(flags), output, (send) =>
      setSandboxDns(send, [{ name, type, contents, ...(flags.ttl !== undefined && { ttl: flags.ttl }) }]),
    );
    // The list has exactly one entry, so the answer is one JSON value.
    if (output.json) for (const entry of entries) await output.answerJson(entry);
    else for (const line of entries.flatMap(formatDnsEntry)) await output.line(line);
  },
});

const failures = new Set(['SERVFAIL', 'REFUSED', 'TIMEOUT', 'NXDOMAIN', 'BOGUS']);

/** Requires content for a record; a failure needs no content. */
function requireContent(name: string, type: string, contents: readonly string[]): void {
  if (contents.length > 0 || failures.has(type.toUpperCase())) return;
  throw new Problem('usage', `The ${type.toUpperCase()} record of ${name} has no content.`, {
    hint: `Specify the content after the type. To remove the record: edgectl sandbox dns unset ${name} ${type}`,
  });
}

export const dnsUnsetCommand = command<typeof declared.dnsUnset>({
  async run({ world, output, dryRun }, { args, flags }) {
    const { NAME: name, TYPE: type } = args;
    dryRun?.end('the sandbox', [{ does: 'unset', what: type === undefined ? name : `${name} ${type}` }]);
    const removed = await withSandbox(world, chosenDir(flags), output, (send) =>
      unsetSandboxDns(send, name, type),
    );
    const what = type === undefined ? name : `${type.toUpperCase()} of ${name}`;
    const line = removed === 0 ? `No ${what} found.` : `Removed ${what}.`;
    await output.result(line, { name, ...(type !== undefined && { type }), removed });
  },
});

export const dnsListCommand = command<typeof declared.dnsList>({
  async run({ world, output }, { args, flags }) {
    const entries = await withSandbox(world, chosenDir(flags), output, (send) =>
      listSandboxDns(send, args.NAME),
    );
    if (output.json) await output.answerJson(entries);
    else for (const line of entries.flatMap(formatDnsEntry)) await output.line(line);
  },
});

/** Formats the records of an entry as lines of a zone file, or a failure with the record types that it affects. */
function formatDnsEntry({ name, type, ttl, contents }: SandboxDnsEntry): string[] {
  if (failures.has(type))
    return [`${name}  ${type}${contents.length === 0 ? '' : ` for ${contents.join(', ')}`}`];
  return contents.map((content) => `${name}  ${ttl}  ${type}  ${content}`);
}
