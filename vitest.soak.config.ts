import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

import { drawing } from './vitest.config.ts';

// Two million files do not fit in memory.
process.env['TMPDIR'] ??= tmpdir();

/** Test files that run only some of their cases in `npm test`. */
export const playedInPart = [
  'test/cli/commands/namespace-config.test.ts',
  'test/components/hostnames/fleet.test.tsx',
  'test/components/kv/hostile.test.tsx',
  'test/components/kv/marked.test.tsx',
  'test/components/objects/objects.test.tsx',
  'test/components/objects/tasks.test.tsx',
  'test/components/places/moving.test.tsx',
  'test/components/ui/viewer/sideways.test.ts',
  'test/faults/bulk-put.test.ts',
  'test/faults/second-signal.test.ts',
  'test/fuzz/growth.test.ts',
  'test/library/diagnosis.test.ts',
  'test/library/record.test.ts',
  'test/library/sandbox.test.ts',
  'test/lock/lock.test.ts',
  'test/model/diagnosis/caa.test.ts',
  'test/model/diagnosis/platform-word.test.ts',
  'test/model/kv/order.test.ts',
  'test/neighbours/worker.test.ts',
  'test/neighbours/wrangler.test.ts',
  'test/peers/guard.test.ts',
  'test/peers/wrangler-r2.test.ts',
  'test/peers/wrangler.test.ts',
  'test/release.test.ts',
  'test/sandbox/demo/workers.test.ts',
  'test/sandbox/edge/edge.test.ts',
  'test/sandbox/workers/workers.test.ts',
  'test/services/diagnosis/alone.test.ts',
  'test/services/diagnosis/diagnosis.test.ts',
  'test/services/diagnosis/saved-run-resume.test.ts',
  'test/services/diagnosis/served-states.test.ts',
  'test/services/diagnosis/table.test.ts',
  'test/services/diagnosis/worlds.test.ts',
  'test/services/equivalents/equivalents.test.ts',
  'test/services/forecast/forecast.test.ts',
  'test/services/forecast/worlds.test.ts',
  'test/services/guard/forward-tls.test.ts',
  'test/services/instructions/evidence.test.ts',
  'test/services/kv/bulk/resume.test.ts',
  'test/services/kv/lost-values.test.ts',
  'test/services/kv/transfer/transfer.test.ts',
  'test/services/pace/pace-file.test.ts',
  'test/services/session/lock.test.ts',
  'test/services/tasks/tasks.test.ts',
  'test/services/undo/journal.test.ts',
  'test/services/workers/deploy.test.ts',
  'test/services/workers/dev.test.ts',
  'test/services/workers/secrets.test.ts',
  'test/startup.test.ts',
  'test/store/kv-model.test.ts',
  'test/store/replaced.test.ts',
  'test/store/several-processes.test.ts',
  'test/terminal/console.test.ts',
  'test/terminal/ends.test.ts',
  'test/terminal/home.test.ts',
  'test/terminal/monkey.test.ts',
  'test/terminal/mouse.test.ts',
  'test/terminal/process.test.ts',
  'test/terminal/redraw.test.ts',
  'test/terminal/theme.test.ts',
  'test/terminal/typed-ahead.test.ts',
];

/** Long tests with a lot of data and many cases: `npm run test:soak`. */
export default defineConfig({
  define: {
    EDGECTL_VERSION: JSON.stringify('0.0.0-test'),
    EDGECTL_DATE: JSON.stringify('2026-11-22'),
    EDGECTL_PACKAGE: JSON.stringify('edgectl'),
  },
  test: {
    testTimeout: 60 * 60_000,
    // Deleting two million files takes long.
    hookTimeout: 60 * 60_000,
    pool: 'forks',
    // Without a folder of its own, a run would use the console that an earlier run has built.
    globalSetup: ['test/support/scratch.ts'],
    setupFiles: ['test/support/setup.ts'],
    // The properties of `npm test`, with about a thousand times their cases.
    env: { NODE_ENV: 'production', FUZZ_CASES: process.env['FUZZ_CASES'] ?? '100000' },
    projects: [
      {
        extends: true,
        test: {
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      // All cases of the files that `npm test` runs in part (`test/support/in-part.ts`).
      {
        extends: true,
        plugins: drawing.plugins,
        oxc: drawing.oxc,
        test: {
          name: 'whole',
          server: { deps: { inline: drawing.inline } },
          include: playedInPart,
          env: { EDGECTL_TESTS: 'whole' },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // One after another, so that each has the disk to itself.
      {
        extends: true,
        test: {
          name: 'soak',
          include: ['test/soak/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
