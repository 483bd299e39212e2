import { defineConfig } from 'vitest/config';

/** Long tests of much data and of many cases: `npm run test:soak`. One after the other, so that each has the disk to itself. */
export default defineConfig({
  define: { EDGECTL_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/soak/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
    testTimeout: 60 * 60_000,
    // Removing two million files takes long.
    hookTimeout: 60 * 60_000,
    pool: 'forks',
    fileParallelism: false,
    // The properties of `npm test`, with a hundred times their cases.
    env: { NODE_ENV: 'test', FUZZ_CASES: process.env['FUZZ_CASES'] ?? '100000' },
  },
});
