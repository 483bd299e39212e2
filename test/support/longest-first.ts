import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that start many programs, slowest first. They run before the others, because a worker grows to 1 or 2 GB, and forking a
 * process copies its page tables. For each program, and in both processes, this takes 14 ms at 600 MB, but only 2 ms in a fresh worker.
 */
const startingPrograms = [
  'services/workers/dev.test.ts',
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
  'services/equivalents/equivalents.test.ts',
  'startup.test.ts',
  'guides.test.ts',
  'release.test.ts',
  'services/doctor/newer-version.test.ts',
  'text/shell.test.ts',
  'services/guard/exec.test.ts',
  'faults/interrupt.test.ts',
  'files/read.test.ts',
  'services/hostnames/sinks.test.ts',
  'scripts/objects.test.ts',
  'scripts/hostnames.test.ts',
  'components/kv/writing.test.tsx',
  'faults/undo-kill.test.ts',
  'faults/second-signal.test.ts',
];

/** The first test files to run: those that start programs, then the slowest others. On a fresh clone, vitest orders files by size. */
export const firstFiles = [
  ...startingPrograms,
  'services/diagnosis/worlds.test.ts',
  'services/diagnosis/alone.test.ts',
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

/** A sequencer that runs slow files first, so that both processors are busy until the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project, moduleId }: TestSpecification): number => {
      const at = firstFiles.indexOf(relative(`${project.config.root}/test`, moduleId));
      return at === -1 ? firstFiles.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
