import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { EDGECTL_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/soak/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    env: { NODE_ENV: 'test' },
  },
});
