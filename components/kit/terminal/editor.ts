import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../../src/model/problem.ts';
import type { World } from '../../../src/world.ts';

/**
 * Opens bytes in an editor ($VISUAL, $EDITOR or vi, with its arguments) and resolves with the saved bytes. If the value had no final line
 * feed, removes the line feed that most editors add. Throws if the editor cannot be started or fails. The file is in a folder that only its
 * owner can read, and is deleted afterwards. Ctrl-C goes to the editor; if this process is interrupted, it stops the editor first.
 */
export async function runEditor(
  world: EditorWorld,
  bytes: Uint8Array,
  extension: string,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'edgectl-edit-'));
  try {
    const file = join(folder, `value.${extension}`);
    await writeFile(file, bytes, { mode: 0o600 });
    await lendTerminal(world, () => runInShell(chooseEditor(world.env), file, world));
    return withoutAddedNewline(await readFile(file), bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type EditorWorld = Pick<World, 'env' | 'cwd' | 'interrupted' | 'lending'>;

async function lendTerminal(world: EditorWorld, run: () => Promise<void>): Promise<void> {
  return world.lending === undefined ? run() : world.lending(run);
}

function chooseEditor(env: World['env']): string {
  return env['VISUAL'] || env['EDITOR'] || 'vi';
}

/**
 * Returns the shell script that runs the editor. For a single command, `exec` replaces the shell with the editor, which then receives the
 * signals. For a setting with variables or several commands, the shell stays and ignores SIGINT.
 */
function toShellScript(editor: string): string {
  const isSingleCommand = !/^\s*\w+=|[;&|]/.test(editor);
  return isSingleCommand ? `exec ${editor} "$@"` : `trap : INT; ${editor} "$@"`;
}

/** Runs the editor's command line in a shell. The file is passed as an argument, not as part of the command line. */
async function runInShell(
  editor: string,
  file: string,
  { env, cwd, interrupted }: EditorWorld,
): Promise<void> {
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('sh', ['-c', toShellScript(editor), editor, file], {
      stdio: 'inherit',
      env: { ...env },
      cwd,
    });
    const end = () => stopEditor(child);
    interrupted.addEventListener('abort', end, { once: true });
    if (interrupted.aborted) end();
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      interrupted.removeEventListener('abort', end);
      resolve(exitCode);
    });
  });
  if (code === 0) return;
  throw new Problem(
    'refused',
    `The editor ${editor} ${code === null ? 'was stopped by a signal' : `exited with code ${code}`}.`,
    {
      hint: 'Nothing was changed. Set another editor in VISUAL or EDITOR.',
    },
  );
}

/** Milliseconds that an editor has to clean up before it is killed. */
const killDelayMs = 1000;

function stopEditor(child: ChildProcess): void {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), killDelayMs);
  child.once('exit', () => clearTimeout(timer));
}

function withoutAddedNewline(edited: Uint8Array, before: Uint8Array): Uint8Array {
  const added = before.length > 0 && before.at(-1) !== 0x0a && edited.at(-1) === 0x0a;
  return added ? edited.subarray(0, -1) : edited;
}
