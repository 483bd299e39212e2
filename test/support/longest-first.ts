import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. By their size, which vitest goes by on a fresh clone, they come late. */
export const longest = [
  'faults/commands.test.ts',
  'services/diagnosis/table.test.ts',
  'sandbox/workers/workers.test.ts',
  'services/workers/dev.test.ts',
  'terminal/console.test.ts',
  'scripts/console.test.ts',
  'scripts/kv.test.ts',
  'scripts-guide/guide.test.ts',
  'components/objects/tasks.test.tsx',
  'fuzz/argv.test.ts',
  'services/workers/secrets.test.ts',
  'services/workers/deploy.test.ts',
  'components/objects/objects.test.tsx',
  'terminal/home.test.ts',
  'services/kv/transfer/transfer.test.ts',
  'neighbours/worker.test.ts',
  'components/places/moving.test.tsx',
  'readme-use.test.ts',
  'peers/wrangler-workers.test.ts',
];

/** Runs these first, so that both processors have something to do until the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project, moduleId }: TestSpecification): number => {
      const at = longest.indexOf(relative(`${project.config.root}/test`, moduleId));
      return at === -1 ? longest.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
