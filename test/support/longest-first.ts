import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. By their size, which vitest goes by on a fresh clone, they come late. */
export const longest = [
  'faults/commands.test.ts',
  'sandbox/workers/workers.test.ts',
  'services/workers/dev.test.ts',
  'terminal/console.test.ts',
  'neighbours/worker.test.ts',
  'store/several-processes.test.ts',
  'sandbox/kv/values.test.ts',
  'services/workers/deploy.test.ts',
  'scripts-guide/guide.test.ts',
  'scripts/kv.test.ts',
  'services/workers/secrets.test.ts',
  'peers/wrangler-workers.test.ts',
  'services/kv/transfer/transfer.test.ts',
  'components/objects/tasks.test.tsx',
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
