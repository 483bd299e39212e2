import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { ownInkModule } from './build/options.mjs';
import { SlowestFirst } from './test/support/longest-first.ts';

/**
 * Tests draw the console as the build does: with our frames instead of Ink's. Unlike the build, tests write lines
 * completely: with single cells, a blank keeps its old color, and no two frames of a picture are equal.
 */
const ownInkModules: Plugin = {
  name: 'own-ink-modules',
  enforce: 'pre',
  resolveId: (path, importer) =>
    path === './line-update.js' ? undefined : ownInkModule(path, importer ?? ''),
};

/** Ink and its widgets, which are transformed like our modules. */
const inkModules = /\/ink(?:-[a-z-]+)?\/build\//;

/** GitHub's parser of workflows, which imports JSON as bundlers do. */
const workflowParser = /\/@actions\/(?:workflow-parser|expressions)\/dist\/.*\.js$/;

/** Both refer to source maps that are not in their packages, about which Vite warns each time. */
const withoutMaps: Plugin = {
  name: 'without-maps',
  load: (id) =>
    inkModules.test(id) || workflowParser.test(id)
      ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=\S+$/m, '')
      : undefined,
};

/** What files that draw the console need. */
export const drawing = {
  plugins: [ownInkModules, withoutMaps],
  // React in its production form, as in the program: the other form records a stack trace for each element, at twice
  // the cost.
  oxc: { jsx: { development: false } },
  inline: [inkModules, workflowParser],
};

export default defineConfig({
  plugins: drawing.plugins,
  define: {
    EDGECTL_VERSION: JSON.stringify('0.0.0-test'),
    EDGECTL_DATE: JSON.stringify('2026-11-22'),
    EDGECTL_PACKAGE: JSON.stringify('edgectl'),
  },
  oxc: drawing.oxc,
  test: {
    testTimeout: 30_000,
    // A loaded machine can be late once. The report names each test that was retried; normally there are none.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 60_000,
    pool: 'forks',
    // Each worker has one core. Garbage collection threads would compete with the other worker, and objects that live
    // for one frame should never reach the old generation. By default the young generation starts small and grows too
    // late; the old one is collected at 50 MB, and again with each value of a test of large ones, unless buffers
    // count like the rest of the heap.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=32',
      '--max-semi-space-size=32',
      '--initial-old-space-size=512',
      '--external-memory-accounted-in-global-limit',
    ],
    // A test that waits for a program, a timer or a file leaves its core idle, so there is one worker more than
    // cores.
    maxWorkers: availableParallelism() + 1,
    env: { NODE_ENV: 'production', FUZZ_CASES: process.env['FUZZ_CASES'] ?? '100' },
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['test/support/scratch.ts'],
    setupFiles: ['test/support/setup.ts'],
    server: { deps: { inline: drawing.inline } },
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/soak/**'],
    // Tests change nothing that they share, so a worker loads the program once for all its files.
    isolate: false,
  },
});
