import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { makeFolder } from '../../files/folders.ts';
import { withPath } from '../../files/system-reason.ts';
import { Problem } from '../../model/problem.ts';
import type { FieldValues } from '../../model/shape.ts';
import { templates } from '../../model/workers/template.ts';
import { suggestWorkerName } from '../../model/workers/worker.ts';
import type { newProjectFields } from '../../model/workers/worker-shape.ts';
import type { World } from '../../world.ts';
import { packageFile } from '../installation/package-file.ts';
import { checkWorkerName } from './workers.ts';

export interface InitOptions {
  /** Folder of the project, relative to the working directory; created if missing. */
  readonly dir: string;
  readonly template: string;
  /** Name of the worker (default: derived from the folder's name, or else the template's name). */
  readonly name: string | undefined;
}

/** A created project. `folder` is absolute. */
export type NewProject = FieldValues<typeof newProjectFields>;

/**
 * Writes a template's files to a folder. Before writing anything, throws if one of the files exists, or if a file exists where a folder is
 * required. If writing fails, deletes the files that it has written.
 */
export async function initProject(world: World, { dir, template, name }: InitOptions): Promise<NewProject> {
  if (!templates.includes(template)) {
    throw new Problem('usage', `No template "${template}".`, {
      hint: `Templates: ${templates.join(', ')}.`,
    });
  }
  const from = await templateFolder(template);
  const folder = resolve(world.cwd, dir);
  const worker =
    name === undefined ? (suggestWorkerName(basename(folder)) ?? template) : checkWorkerName(name);
  const files = await templateFiles(from);
  await refuseExisting(folder, files);
  const texts = files.map(async ({ path, source }) => {
    const text = await readFile(source, 'utf8');
    return { path: join(folder, path), text: path === 'edgectl.toml' ? renameInConfig(text, worker) : text };
  });
  await writeAll(await Promise.all(texts));
  return { folder, name: worker, files: files.map(({ path }) => path) };
}

/** Writes all files or none, because files of a failed attempt would block the next attempt. */
async function writeAll(files: readonly { readonly path: string; readonly text: string }[]): Promise<void> {
  const begun: string[] = [];
  for (const { path, text } of files) {
    try {
      makeFolder(dirname(path));
      await using file = await open(path, 'wx');
      begun.push(path);
      await file.writeFile(text);
    } catch (error) {
      await Promise.all(begun.map((one) => rm(one, { force: true })));
      throw withPath(error, path);
    }
  }
}

async function templateFolder(template: string): Promise<string> {
  const found = await packageFile(join('examples', template, 'edgectl.toml'));
  if (found !== undefined) return dirname(found);
  throw new Problem('refused', `The template "${template}" is not installed.`, {
    remedy: { kind: 'install-package' },
  });
}

interface TemplateFile {
  readonly path: string;
  readonly source: string;
}

/** Lists the files of a template. npm omits `.gitignore` from packages, so the packaged file has no dot. */
async function templateFiles(from: string): Promise<TemplateFile[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .sort()
    .map((source) => ({ source, path: relative(from, source).replace(/^gitignore$/, '.gitignore') }));
}

async function refuseExisting(folder: string, files: readonly TemplateFile[]): Promise<void> {
  for (const { path } of files) {
    await checkParentFolder(dirname(join(folder, path)));
    if (!(await exists(join(folder, path)))) continue;
    throw new Problem('invalid-input', `${join(folder, path)} already exists; nothing was written.`, {
      remedy: { kind: 'init-elsewhere' },
    });
  }
}

/** Throws if the nearest existing parent of a path, in which missing folders would be created, is not a folder. */
async function checkParentFolder(path: string): Promise<void> {
  let nearest = path;
  while (!(await exists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if ((await stat(nearest).catch(() => undefined))?.isDirectory() !== false) return;
  throw new Problem('invalid-input', `${nearest} is not a folder; nothing was written.`, {
    remedy: { kind: 'init-elsewhere' },
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function renameInConfig(config: string, name: string): string {
  return config.replace(/^name = .*$/m, `name = "${name}"`);
}
