import { defineConfig } from 'vitest/config';

/** Tests that take minutes or much room: `npm run test:soak`. */
export default defineConfig({
  define: { EDGECTL_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/soak/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
    env: { NODE_ENV: 'test' },
  },
});
