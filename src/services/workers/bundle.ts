import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, relative, resolve } from 'node:path';
import type { BuildFailure, BuildOptions, Message, Metafile, Plugin } from 'esbuild';
import { Problem } from '../../model/problem.ts';
import type { ModuleKind, WorkerCode, WorkerModule } from '../../model/workers/worker.ts';

/** A bundled worker: one module of code, and the files that it imports as text, bytes or WebAssembly. */
export interface Bundle {
  readonly code: WorkerCode;
  /** Absolute paths of the input files. */
  readonly inputs: readonly string[];
  /** Warnings from the bundler, with positions in the code. */
  readonly warnings: readonly string[];
}

/** Files that remain separate modules, by file extension, as in wrangler. */
const fileKinds: Readonly<Record<string, ModuleKind>> = {
  '.txt': 'text',
  '.html': 'text',
  '.sql': 'text',
  '.bin': 'data',
  '.wasm': 'wasm',
};

/**
 * Bundles the TypeScript or JavaScript entry file of a worker, with all its imports. Throws if the code is invalid or a file is missing;
 * the positions in the message are relative to `cwd`. `entry` and `cwd` are absolute paths. Calls `onImport` with the absolute path of each
 * file that the code imports, even if bundling fails; the path may lack the file extension.
 */
export async function bundleWorker(
  entry: string,
  cwd: string,
  onImport?: (path: string) => void,
): Promise<Bundle> {
  const esbuild = await loadEsbuild();
  const separate = new Map<string, SeparateFile>();
  const read = new Set<string>();
  const options = {
    ...settings,
    absWorkingDir: cwd,
    entryPoints: [entry],
    plugins: [
      ...(onImport === undefined ? [] : [reportImports(onImport)]),
      separateFiles(separate),
      collectReads(read),
    ],
  };
  try {
    const built = await esbuild.build({ ...options, write: false, metafile: true });
    const [output] = built.outputFiles;
    if (output === undefined) throw new Problem('bug', 'The bundler returned no file.');
    const name = `${basename(entry, extname(entry))}.js`;
    const format = isScript(built.metafile) ? 'script' : 'modules';
    const main = { name, kind: format === 'script' ? 'script' : 'esm', content: output.contents } as const;
    return {
      code: { format, entry: name, modules: [main, ...[...separate.values()].map(({ module }) => module)] },
      inputs: [...read, ...[...separate.values()].map(({ file }) => file)],
      warnings: built.warnings.map((warning) => formatMessage(warning, cwd)),
    };
  } catch (error) {
    throw isBuildFailure(error) ? bundleProblem(error, cwd) : error;
  }
}

const settings = {
  bundle: true,
  format: 'esm',
  target: 'es2024',
  outfile: 'worker.js',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  // Libraries omit their development checks if `NODE_ENV` is "production". The code joins the parts of the name, because the build of edgectl
  // would replace the whole name.
  define: { [['process', 'env', 'NODE_ENV'].join('.')]: '"production"' },
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

async function loadEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild');
  } catch (error) {
    throw new Problem('refused', 'Cannot bundle the worker: the package "esbuild" is not installed.', {
      remedy: { kind: 'install-workers' },
      cause: error,
    });
  }
}

interface SeparateFile {
  readonly file: string;
  readonly module: WorkerModule;
}

/** Keeps imported text, bytes and WebAssembly out of the bundle, as separate modules whose names contain a hash of the content. */
function separateFiles(collected: Map<string, SeparateFile>): Plugin {
  return {
    name: 'keep-files',
    setup(build) {
      const endings = Object.keys(fileKinds).map((ending) => ending.slice(1));
      const filter = new RegExp(`\\.(?:${endings.join('|')})(?:\\?module)?$`);
      build.onResolve({ filter }, async ({ path, resolveDir, kind }) => {
        if (kind === 'entry-point' || !path.startsWith('.')) return undefined;
        const file = resolve(resolveDir, path.replace(/\?module$/, ''));
        const content = await readFile(file).catch(() => undefined);
        if (content === undefined) return { errors: [{ text: `Could not resolve "${path}"` }] };
        const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
        const name = `./${hash}-${basename(file)}`;
        collected.set(name, { file, module: { name, kind: fileKinds[extname(file)] ?? 'data', content } });
        return { path: name, external: true };
      });
    },
  };
}

function reportImports(onImport: (path: string) => void): Plugin {
  return {
    name: 'tell-files',
    setup(build) {
      build.onResolve({ filter: /^[./]/ }, ({ path, resolveDir }) => {
        onImport(resolve(resolveDir, path));
        return undefined;
      });
    },
  };
}

/**
 * Collects the paths of the files that the bundler reads. Does not use the bundler's own list, whose paths can include `?query` and `#hash`
 * from the code.
 */
function collectReads(read: Set<string>): Plugin {
  return {
    name: 'tell-read',
    setup(build) {
      build.onLoad({ filter: /(?:)/ }, ({ path }) => {
        read.add(path);
        return undefined;
      });
    },
  };
}

/** Returns whether the code has no exports, and is therefore a service-worker script instead of a module. */
function isScript({ outputs }: Metafile): boolean {
  return Object.values(outputs).every((output) => output.exports.length === 0);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function bundleProblem(failure: BuildFailure, cwd: string): Problem {
  const [first, ...others] = failure.errors.map((message) => formatMessage(message, cwd));
  const more =
    others.length === 0 ? {} : { hint: `And ${others.length} more: ${others.slice(0, 4).join(' ')}` };
  return new Problem('invalid-input', first ?? failure.message, { ...more, cause: failure });
}

/** Formats a message from the bundler, for example `src/index.ts:3:5: Expected ";" but found "x".` */
function formatMessage({ text, location }: Message, cwd: string): string {
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  if (location === null) return sentence;
  const file = relative(cwd, resolve(cwd, location.file));
  return `${file}:${location.line}:${location.column + 1}: ${sentence}`;
}
