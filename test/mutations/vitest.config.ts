import base from '../../vitest.config.ts';

/** The suite's own settings, over the test files of one module, which `run.mjs` names. */
export default {
  ...base,
  test: {
    ...base.test,
    globalSetup: ['test/support/scratch.ts'],
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    // One file at a time: which tests reach a mutant is recorded per test.
    maxWorkers: 1,
  },
};
