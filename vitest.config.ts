import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { ownInkModule } from './build/options.mjs';
import { SlowestFirst } from './test/support/longest-first.ts';

/**
 * The console of tests is drawn as that of the build: with frames of ours in the place of Ink's. Only their lines are
 * written whole: where cells alone are, a blank keeps the colour that it had, and no two frames of a picture are alike.
 */
const ownInkModules: Plugin = {
  name: 'own-ink-modules',
  enforce: 'pre',
  resolveId: (path, importer) =>
    path === './line-update.js' ? undefined : ownInkModule(path, importer ?? ''),
};

/** Modules of Ink and its widgets, which are loaded as ours are. */
const inkModules = /\/ink(?:-[a-z-]+)?\/build\//;

/** They name maps of sources that are not packed with them, of which Vite warns for each. */
const inkWithoutMaps: Plugin = {
  name: 'ink-without-maps',
  load: (id) =>
    inkModules.test(id) ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=\S+$/m, '') : undefined,
};

export default defineConfig({
  plugins: [ownInkModules, inkWithoutMaps],
  define: { EDGECTL_VERSION: JSON.stringify('0.0.0-test'), EDGECTL_DATE: JSON.stringify('2026-11-22') },
  // React as the program has it: its other form keeps a stack trace of each element, at twice the price.
  oxc: { jsx: { development: false } },
  test: {
    testTimeout: 30_000,
    // A machine that others load can be late once. The report names each test that was tried again; here none is.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 60_000,
    pool: 'forks',
    // Each worker has one core: threads of a garbage collector that share it with the other worker cost more than they
    // bring, and what lives as long as a frame is never copied into the old generation. Left to itself the young one begins
    // small, and grows too late; the old one is collected at 50 MB, and again with each value of a test of large ones,
    // unless buffers count as the rest of the heap does.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=32',
      '--max-semi-space-size=32',
      '--initial-old-space-size=512',
      '--external-memory-accounted-in-global-limit',
    ],
    // Who waits for a program, a timer or a file leaves a core to a worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    env: { NODE_ENV: 'production', FUZZ_CASES: process.env['FUZZ_CASES'] ?? '400' },
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['test/support/scratch.ts'],
    setupFiles: ['test/support/setup.ts'],
    server: { deps: { inline: [inkModules] } },
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/soak/**'],
    // Tests change nothing that they share: a worker loads the program once for all its files.
    isolate: false,
  },
});
