import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, slowest first. On a fresh clone, vitest orders files by size, and would run these files late. Files that start
 * programs come first, because forking takes 14 ms in a worker that has grown to 600 MB, but only 2 ms in a fresh worker.
 */
export const slowestFiles = [
  'services/workers/dev.test.ts',
  'services/diagnosis/worlds.test.ts',
  'services/diagnosis/alone.test.ts',
  'sandbox/workers/workers.test.ts',
  'terminal/console.test.ts',
  'scripts/console.test.ts',
  'neighbours/wrangler.test.ts',
  'peers/wrangler-workers.test.ts',
  'scripts/kv.test.ts',
  'scripts-guide/guide.test.ts',
  'services/workers/secrets.test.ts',
  'services/workers/deploy.test.ts',
  'neighbours/worker.test.ts',
  'terminal/home.test.ts',
  'terminal/redraw.test.ts',
  'terminal/monkey.test.ts',
  'peers/sdk-workers.test.ts',
  'peers/wrangler.test.ts',
  'readme-use.test.ts',
  'store/several-processes.test.ts',
  'faults/commands.test.ts',
  'services/diagnosis/table.test.ts',
  'services/kv/transfer/transfer.test.ts',
  'fuzz/argv.test.ts',
  'fuzz/dns.test.ts',
  'fuzz/config.test.ts',
  'faults/bulk-put.test.ts',
  'components/objects/tasks.test.tsx',
  'components/objects/objects.test.tsx',
  'components/places/moving.test.tsx',
];

/** Runs the slowest files first, so that both processors are busy until the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project, moduleId }: TestSpecification): number => {
      const at = slowestFiles.indexOf(relative(`${project.config.root}/test`, moduleId));
      return at === -1 ? slowestFiles.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
