import { relative } from 'node:path';
import { templates } from '../../../model/workers/template.ts';
import { initProject } from '../../../services/workers/init.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const initCommand = command<typeof declared.init>({
  async run(context, { args, flags }) {
    const { output, world } = context;
    const dir = args.DIR ?? '.';
    const template = flags.template ?? templates[0] ?? '';
    const { folder, name, files } = await initProject(world, { dir, template, name: flags.name });
    const next = [
      ...(relative(world.cwd, folder) === '' ? [] : [`cd ${quoted(dir)}`]),
      'edgectl objstore bucket create my-bucket',
      'edgectl deploy',
      'edgectl secret put AUTH_KEY_SECRET',
    ];
    if (output.json) {
      await output.answerJson({ folder, name, files, next });
      return;
    }
    await output.line(`Created worker "${name}" in ${folder}: ${files.join(', ')}.`);
    await output.line('Next:');
    for (const line of next) await output.line(`  ${line}`);
    output.note(
      'Without an account, add --sandbox to each of these commands. To serve the worker, run edgectl sandbox start in another terminal.',
    );
  },
});

/** Quotes a path for a shell without using backslashes, because the output would escape them. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'"'"'`)}'`;
}
