import { Problem } from '../../../model/problem.ts';
import { withSandbox } from '../../../services/sandbox/dns.ts';
import { findSandbox } from '../../../services/sandbox/sandbox.ts';
import { loadSeed, openSeedFile, readSeedFile, readSnapshot } from '../../../services/sandbox/seed.ts';
import { command } from '../../parsing/command.ts';
import { existingFileMode } from '../../parsing/flags.ts';
import { chosenDir } from './choice.ts';
import type * as declared from './declarations.ts';

/** Formats a count: `1 zone`, `2 zones`. The kinds in a seed are plurals. */
function formatCount(count: number, kind: string): string {
  return `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}`;
}

export const recordCommand = command<typeof declared.record>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    const maxEntries = flags.most ?? 1000;
    if (maxEntries < 1) throw new Problem('usage', '--most must be at least 1.');
    const file = await openSeedFile(world, { name: args.FILE, ifThere: existingFileMode(flags) });
    const session = await context.session();
    const { recordAccount } = await import('../../../services/sandbox/record.ts');
    const seed = await recordAccount({
      session,
      withValues: flags['with-values'],
      maxEntries,
      note: output.note,
    });
    await file.write(seed);
    if (file.isStdout) return;
    const counts = Object.entries(seed).flatMap(([kind, all]) =>
      Array.isArray(all) ? [formatCount(all.length, kind)] : [],
    );
    await output.result(`Exported ${counts.join(', ')} to ${args.FILE}.`, { file: args.FILE });
  },
});

export const snapshotSaveCommand = command<typeof declared.snapshotSave>({
  async run({ world, output }, { args, flags }) {
    const file = await openSeedFile(world, { name: args.FILE, ifThere: existingFileMode(flags) });
    await file.write(await withSandbox(world, chosenDir(flags), output, readSnapshot));
    if (!file.isStdout) await output.result(`Saved the sandbox data to ${args.FILE}.`, { file: args.FILE });
  },
});

export const snapshotLoadCommand = command<typeof declared.snapshotLoad>({
  async run({ world, output, ask, dryRun }, { args, flags }) {
    const seed = await readSeedFile(world, args.FILE, (message) => output.note(message));
    const folder = await findSandbox(world, chosenDir(flags));
    await ask.confirm(
      `Replace all sandbox data in ${folder}?`,
      `All sandbox data in ${folder} would be replaced.`,
    );
    dryRun?.end(folder, [{ does: 'load', what: args.FILE }]);
    const loaded = await withSandbox(world, chosenDir(flags), output, (send) => loadSeed(send, seed, true));
    const counts = Object.entries(loaded).map(([kind, count]) => formatCount(count, kind));
    await output.result(`Loaded ${args.FILE}: ${counts.join(', ')}.`, { file: args.FILE, folder, loaded });
  },
});
