import { defineConfig } from 'vitest/config';

/** Test files that run only some of their cases in `npm test`. */
export const playedInPart = [
  'test/faults/second-signal.test.ts',
  'test/neighbours/worker.test.ts',
  'test/neighbours/wrangler.test.ts',
  'test/peers/guard.test.ts',
  'test/peers/wrangler.test.ts',
  'test/sandbox/workers/workers.test.ts',
  'test/services/equivalents/equivalents.test.ts',
  'test/services/session/lock.test.ts',
  'test/services/workers/dev.test.ts',
  'test/store/several-processes.test.ts',
  'test/terminal/console.test.ts',
  'test/terminal/ends.test.ts',
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
    setupFiles: ['test/support/setup.ts'],
    // The properties of `npm test`, with about a hundred times their cases.
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
        test: {
          name: 'whole',
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
