import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../src/model/problem.ts';
import type { World } from '../../src/world.ts';

/**
 * Lets the reader change bytes in an editor ($VISUAL, $EDITOR or vi, with its arguments) and resolves with what was
 * saved. Most editors end the last line where the value did not: that line feed is taken off again. Refuses when
 * the editor cannot be started or fails. The file lies in a folder that only its owner can read, and is removed.
 */
export async function runEditor(
  world: Pick<World, 'env' | 'cwd'>,
  bytes: Uint8Array,
  extension: string,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'edgectl-edit-'));
  try {
    const file = join(folder, `value.${extension}`);
    await writeFile(file, bytes, { mode: 0o600 });
    await start(editorOf(world.env), file, world);
    return withoutAddedEnd(await readFile(file), bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function editorOf(env: World['env']): string {
  return env['VISUAL'] || env['EDITOR'] || 'vi';
}

/** The variable is a command line, so a shell reads it; the file is an argument and no part of that line. */
async function start(editor: string, file: string, { env, cwd }: Pick<World, 'env' | 'cwd'>): Promise<void> {
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], {
      stdio: 'inherit',
      env: { ...env },
      cwd,
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code === 0) return;
  throw new Problem(
    'refused',
    `The editor ${editor} ended with ${code === null ? 'a signal' : `exit code ${code}`}.`,
    {
      hint: 'Nothing was changed. Name another editor in VISUAL or EDITOR.',
    },
  );
}

function withoutAddedEnd(edited: Uint8Array, before: Uint8Array): Uint8Array {
  const added = before.length > 0 && before.at(-1) !== 0x0a && edited.at(-1) === 0x0a;
  return added ? edited.subarray(0, -1) : edited;
}
