import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { makeFolder } from '../../files/folders.ts';
import { aboutPath } from '../../files/system-reason.ts';
import { Problem } from '../../model/problem.ts';
import { templates } from '../../model/workers/template.ts';
import { workerNameFrom } from '../../model/workers/worker.ts';
import type { World } from '../../world.ts';
import { packageFile } from '../installation/package-file.ts';
import { checkWorkerName } from './workers.ts';

export interface InitOptions {
  /** Folder of the project, from the working directory; made when it is missing. */
  readonly dir: string;
  readonly template: string;
  /** Name of the worker; the folder's where it can be one, else the template's. */
  readonly name: string | undefined;
}

export interface NewProject {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
  /** Paths in the folder. */
  readonly files: readonly string[];
}

/**
 * Writes a template's files into a folder. Refuses, before anything is written, when one of them is there, or a file
 * where a folder should be; a failure half-way takes back what was written.
 */
export async function initProject(world: World, { dir, template, name }: InitOptions): Promise<NewProject> {
  if (!templates.includes(template)) {
    throw new Problem('usage', `There is no template "${template}".`, {
      hint: `There is: ${templates.join(', ')}.`,
    });
  }
  const from = await templateFolder(template);
  const folder = resolve(world.cwd, dir);
  const worker = name === undefined ? (workerNameFrom(basename(folder)) ?? template) : checkWorkerName(name);
  const files = await templateFiles(from);
  await refuseExisting(folder, files);
  const texts = files.map(async ({ path, source }) => {
    const text = await readFile(source, 'utf8');
    return { path: join(folder, path), text: path === 'edgectl.toml' ? renamed(text, worker) : text };
  });
  await writeAll(await Promise.all(texts));
  return { folder, name: worker, files: files.map(({ path }) => path) };
}

/** Writes new files, all of them or none: what a failure has left would refuse the next try. */
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
      throw aboutPath(error, path);
    }
  }
}

async function templateFolder(template: string): Promise<string> {
  const found = await packageFile(join('examples', template, 'edgectl.toml'));
  if (found !== undefined) return dirname(found);
  throw new Problem('refused', `The template "${template}" is not here.`, {
    remedy: { kind: 'install-package' },
  });
}

interface TemplateFile {
  readonly path: string;
  readonly source: string;
}

/** npm leaves a `.gitignore` out of a package, so there it has no dot. */
async function templateFiles(from: string): Promise<TemplateFile[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .sort()
    .map((source) => ({ source, path: relative(from, source).replace(/^gitignore$/, '.gitignore') }));
}

async function refuseExisting(folder: string, files: readonly TemplateFile[]): Promise<void> {
  for (const { path } of files) {
    await refuseNoFolder(dirname(join(folder, path)));
    if (!(await exists(join(folder, path)))) continue;
    throw new Problem('invalid-input', `${join(folder, path)} exists already; nothing was written.`, {
      remedy: { kind: 'init-elsewhere' },
    });
  }
}

/** Refuses a path whose nearest existing part is no folder: missing folders are made below that. */
async function refuseNoFolder(path: string): Promise<void> {
  let nearest = path;
  while (!(await exists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if ((await stat(nearest).catch(() => undefined))?.isDirectory() !== false) return;
  throw new Problem('invalid-input', `${nearest} is no folder; nothing was written.`, {
    remedy: { kind: 'init-elsewhere' },
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function renamed(config: string, name: string): string {
  return config.replace(/^name = .*$/m, `name = "${name}"`);
}
