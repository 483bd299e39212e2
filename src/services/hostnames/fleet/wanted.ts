import type { Objection } from '../../../model/hostnames/fault.ts';
import type { WantedHostname } from '../../../model/hostnames/fleet/plan.ts';
import { maxWrongEntries, Problem } from '../../../model/problem.ts';
import { groupDigits } from '../../../text/size.ts';
import type { World } from '../../../world.ts';
import { wantedRefusal, wireHostname } from '../body.ts';
import { type FileEntry, pauseAfter, readHostnameFile } from '../file.ts';

/** An invalid line in a file, with the reason. */
export interface WrongLine {
  /** Line number; undefined if the hostname does not come from a file. */
  readonly line?: number | undefined;
  readonly hostname?: string;
  readonly reason: string;
}

/** A file that lists the desired custom hostnames of a zone. */
export interface WantedFile {
  /** The file name as typed, or "standard input". */
  readonly name: string;
  /** Absolute path; undefined for standard input. */
  readonly path: string | undefined;
  /** SHA-256 of the file's content. */
  readonly fingerprint: string;
  /** The desired hostnames, by hostname in wire form. */
  readonly wanted: ReadonlyMap<string, WantedHostname>;
  readonly wrong: readonly WrongLine[];
}

/** Reads a file of desired hostnames completely. Returns invalid lines in `wrong`; throws if the file cannot be read. */
export async function readWantedFile(world: World, file: string): Promise<WantedFile> {
  const { name, path, fingerprint, entries } = await readHostnameFile(world, file);
  const wanted = new Map<string, WantedHostname>();
  const wrong: WrongLine[] = [];
  for (const [index, entry] of entries.entries()) {
    await pauseAfter(world, index);
    const read = readLine(entry);
    if ('reason' in read) {
      wrong.push(read);
      continue;
    }
    const { line, asked } = read;
    const first = wanted.get(asked.hostname);
    if (first === undefined) wanted.set(asked.hostname, read);
    else wrong.push({ line, hostname: asked.hostname, reason: `already on line ${first.line}` });
  }
  return { name, path, fingerprint, wanted, wrong };
}

function readLine({ line, entry }: FileEntry): WantedHostname | WrongLine {
  if ('reason' in entry) return { line, ...entry };
  const { origin } = entry;
  const asked = {
    ...entry,
    hostname: wireHostname(entry.hostname),
    ...(origin !== undefined && { origin: wireHostname(origin) }),
  };
  const refusal = wantedRefusal(asked);
  return refusal === undefined ? { line, asked } : wrongLine(line, entry.hostname, refusal);
}

/** Returns the invalid line for a hostname that the platform would refuse. */
export function wrongLine(
  line: number | undefined,
  hostname: string,
  { message, code }: Objection,
): WrongLine {
  const suffix = code === undefined ? '' : ` (${code})`;
  return { line, hostname, reason: `${message.replace(/\.$/, '')}${suffix}` };
}

/** Maximum number of invalid lines to list in an error message. */
const maxListedLines = 20;

/** Returns the problem for a file with invalid lines. `nothing` is a clause such as "nothing was changed". */
export function wrongFile(
  name: string,
  wrong: readonly WrongLine[],
  { nothing, hint }: { readonly nothing: string; readonly hint: string },
): Problem {
  const lines = wrong.slice(0, maxListedLines).map((one) => `  ${wrongLineText(one)}`);
  const more = wrong.length > maxListedLines ? [`  … and ${wrong.length - maxListedLines} more`] : [];
  const message = `${name} has ${groupDigits(wrong.length)} invalid ${wrong.length === 1 ? 'line' : 'lines'}; ${nothing}:`;
  return new Problem('invalid-input', [message, ...lines, ...more].join('\n'), {
    hint,
    wrong: wrong.slice(0, maxWrongEntries).map(({ line, hostname, reason }) => ({ line, hostname, reason })),
  });
}

/** Formats an invalid line with its line number, hostname and reason. */
export function wrongLineText({ line, hostname, reason }: WrongLine): string {
  const where = line === undefined ? [] : [`line ${line}`];
  const named = hostname === undefined ? [] : [`"${hostname}"`];
  return `${[...where, ...named].join(', ')}: ${reason}`;
}
