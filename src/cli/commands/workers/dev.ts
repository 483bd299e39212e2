import { once } from 'node:events';
import { Problem } from '../../../model/problem.ts';
import { type DevEvent, startDev } from '../../../services/workers/dev.ts';
import type { Output } from '../../output/output.ts';
import { command } from '../../parsing/command.ts';
import { type dev, devPort } from './declarations.ts';

export const devCommand = command<typeof dev>({
  async run(context, { args, flags }) {
    const { output, world } = context;
    const port = flags.port ?? devPort;
    if (port < 0 || port > 65535) {
      throw new Problem('usage', `--port must be from 0 to 65535, not ${port}.`);
    }
    const session = await context.session({
      local: true,
      persistTo: flags['persist-to'],
      preview: flags.preview,
    });
    const server = await startDev(session, {
      entry: args.ENTRY,
      name: flags.name,
      compatibilityDate: flags['compatibility-date'],
      port,
      onEvent: (event) => printEvent(output, event),
    });
    try {
      const { name, url, folder, apiBaseUrl } = server;
      const line = `Worker "${name}" runs at ${url} with the local data in ${folder}. Press Ctrl-C to stop it.`;
      await output.result(line, { name, url, folder, apiBaseUrl });
      if (!world.interrupted.aborted) await once(world.interrupted, 'abort');
    } finally {
      output.note('Stopping.');
      await server.close();
    }
  },
});

function printEvent(output: Output, event: DevEvent): void {
  if (event.kind === 'log') output.note(event.log.message, { level: event.log.level });
  else if (event.kind === 'warning') output.warn(event.message);
  else if (event.kind === 'reloaded') output.note('Reloaded.');
  else output.problem(event.problem);
}
