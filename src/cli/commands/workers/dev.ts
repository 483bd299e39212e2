import { once } from 'node:events';
import { Problem } from '../../../model/problem.ts';
import { type DevEvent, startDev } from '../../../services/workers/dev.ts';
import type { Output } from '../../output/output.ts';
import { command } from '../../parsing/command.ts';

const defaultPort = 8789;

export const devCommand = command({
  arguments: {
    ENTRY: {
      kind: 'path',
      about: 'Entry of the worker; the configuration says it (main) when left out',
      optional: true,
    },
  },
  flags: {
    port: {
      kind: 'number',
      placeholder: 'N',
      about: `Port on loopback; ${defaultPort} when left out, 0 for any free one`,
    },
    'persist-to': {
      kind: 'path',
      placeholder: 'DIR',
      about: 'Folder of the local data; .edgectl/state beside the configuration when left out',
    },
    preview: { kind: 'boolean', about: 'Use the preview namespaces and buckets (preview_id)' },
    name: { kind: 'text', placeholder: 'WORKER', about: 'Name of the worker instead of the configured one' },
    'compatibility-date': {
      kind: 'text',
      placeholder: 'DATE',
      about: 'Date of the runtime instead of the configured one: 2026-11-01',
    },
  },
  examples: [
    ['dev', 'run the worker of this folder until Ctrl-C, and again on each change'],
    ['kv key put greeting hello --binding KV --local', 'meanwhile, in another terminal: the worker sees it'],
  ],
  notes: [
    'Secrets come from lines NAME=text in .dev.vars beside the configuration, and are kept out of version control there.',
    'What the worker writes to its console is shown on standard error.',
  ],
  async run(context, { args, flags }) {
    const { output, world } = context;
    const port = flags.port ?? defaultPort;
    if (port < 0 || port > 65535) {
      throw new Problem('usage', `--port is a number from 0 to 65535; this is ${port}.`);
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
      onEvent: (event) => tell(output, event),
    });
    try {
      const { name, url, folder, apiBaseUrl } = server;
      const line = `Worker "${name}" runs at ${url} over local data in ${folder}. Ctrl-C stops it.`;
      await output.result(line, { name, url, folder, apiBaseUrl });
      if (!world.interrupted.aborted) await once(world.interrupted, 'abort');
    } finally {
      output.note('Stopping.');
      await server.close();
    }
  },
});

function tell(output: Output, event: DevEvent): void {
  if (event.kind === 'log') output.note(event.log.message, { level: event.log.level });
  else if (event.kind === 'warning') output.warn(event.message);
  else if (event.kind === 'reloaded') output.note('Reloaded.');
  else output.problem(event.problem);
}
