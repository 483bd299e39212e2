import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runEditor } from '../../../../components/kit/terminal/editor.ts';
import { scratchFolder } from '../../../support/world.ts';

/** Returns an editor that runs a shell script; in the script, `$1` is the file. */
function editor(
  script: string,
  interrupted = new AbortController().signal,
): { env: Record<string, string>; cwd: string; interrupted: AbortSignal } {
  const folder = scratchFolder('editor');
  const path = join(folder, 'edit.sh');
  writeFileSync(path, script);
  return {
    env: { PATH: process.env['PATH'] ?? '', EDITOR: `sh ${path} --wait`, FOLDER: folder },
    cwd: folder,
    interrupted,
  };
}

test('returns the bytes that the editor saved', async () => {
  const edited = await runEditor(
    editor('printf "%s changed" "$(cat "$2")" > "$2"'),
    Buffer.from('text'),
    'txt',
  );
  expect(edited.toString()).toBe('text changed');
});

test('returns binary data unchanged if the user changes nothing in the editor', async () => {
  const bytes = Buffer.of(0, 0xff, 0x0d, 0x0a, 0x80);
  expect(Buffer.from(await runEditor(editor('true'), bytes, 'txt'))).toEqual(bytes);
});

test('removes the line feed that an editor adds at the end, unless the value ended with a line feed', async () => {
  const append = editor('printf "\\n" >> "$2"');
  expect(Buffer.from(await runEditor(append, Buffer.from('a'), 'txt')).toString()).toBe('a');
  expect(Buffer.from(await runEditor(append, Buffer.from('a\n'), 'txt')).toString()).toBe('a\n\n');
});

test('creates a file that only its owner can read, with the extension of the content, and deletes the file', async () => {
  const world = editor(
    '{ ls -ld "$(dirname "$2")" | cut -c1-10; ls -l "$2" | cut -c1-10; echo "$2"; } > "$FOLDER/seen"',
  );
  await runEditor(world, Buffer.from('{}'), 'json');
  const [folder, file, path = ''] = readFileSync(join(world.cwd, 'seen'), 'utf8').split('\n');
  expect([folder, file]).toEqual(['drwx------', '-rw-------']);
  expect(path).toMatch(/value\.json$/);
  expect(existsSync(dirname(path))).toBe(false);
});

test('names the editor that failed, and leaves no file', async () => {
  await expect(runEditor(editor('exit 3'), Buffer.from('a'), 'txt')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('exited with code 3'),
    hint: expect.stringContaining('Nothing was changed'),
  });
});
