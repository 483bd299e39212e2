import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.ts';

/** Loads the files of the mutated module with all their mutants, each enabled by a switch. */
const mutated: Plugin = {
  name: 'mutated',
  enforce: 'pre',
  load(id) {
    const file = process.env['MUTATED_FILES'];
    if (file === undefined || !id.includes('/src/')) return undefined;
    const files: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
    return files[id.slice(id.lastIndexOf('src/'))];
  },
};

/** A sequencer that keeps the order of the files in `run.mjs`, because the fastest tests kill most mutants. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const named: string[] = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]');
    const place = ({ moduleId }: TestSpecification): number =>
      named.findIndex((file) => moduleId.endsWith(file));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/** The settings of the test suite, but in one process that runs each test once for every mutant that the test reaches. */
export default {
  ...base,
  plugins: [mutated, ...(base.plugins ?? [])],
  test: {
    ...base.test,
    globalSetup: ['test/support/scratch.ts'],
    runner: './test/mutations/runner.ts',
    sequence: { sequencer: AsNamed },
    // The cache identifies an entry by the file, not by the instrumented code of the file.
    fsModuleCache: false,
    maxWorkers: 1,
    retry: 0,
    // The timeout stops mutants that wait forever: a test that usually takes a second must not wait longer.
    testTimeout: 10_000,
    hookTimeout: 10_000,
  },
};
