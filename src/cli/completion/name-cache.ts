import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { readFound } from '../../files/found.ts';
import { replaceFile } from '../../files/replace.ts';
import { sha256 } from '../../model/sha256.ts';
import type { World } from '../../world.ts';

type Row = Readonly<Record<string, unknown>>;

interface Kept {
  readonly at: number;
  readonly rows: readonly Row[];
}

/** Seconds for which names are offered again without asking. */
const fresh = 60;
/** Rows that are kept: more than anyone looks through at a prompt. */
const most = 2000;

/** Gives the rows of `list`, for a minute from a file. The file is named after who asks for what, as a digest. */
export async function cached(
  world: World,
  argv: readonly string[],
  list: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const folder = join(world.folders.state, 'completion');
  const path = join(folder, `${digestOf(world, argv)}.json`);
  const kept = readKept(path);
  if (kept !== undefined && Math.abs(world.now() - kept.at) < fresh * 1000) return kept.rows;
  const rows = (await list().catch(() => [])).slice(0, most);
  const text = JSON.stringify({ at: world.now(), rows } satisfies Kept);
  try {
    makePrivateFolder(folder);
    await replaceFile(world, path, { mode: 0o600, durable: false }, (file) => file.writeFile(text));
  } catch {
    // A folder that cannot be written costs the next Tab another question, and nothing else.
  }
  return rows;
}

/** At once: the module of Node's that would read it meanwhile takes the tenth part of a Tab to load. */
function readKept(path: string): Kept | undefined {
  try {
    const found = readFound('completion', path);
    if (found === undefined || 'doubt' in found) return undefined;
    const kept: unknown = JSON.parse(found.bytes.toString('utf8'));
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    'rows' in value &&
    Array.isArray(value.rows)
  );
}

/** Whoever signs in otherwise, or stands in another folder, is offered other names. */
function digestOf({ env, cwd }: World, argv: readonly string[]): string {
  const who = Object.entries(env).filter(([name]) => /^(?:EDGECTL|CLOUDFLARE)_/.test(name));
  const digest = sha256(Buffer.from(JSON.stringify([argv, cwd, who.sort()])));
  return Buffer.from(digest).toString('hex').slice(0, 32);
}
