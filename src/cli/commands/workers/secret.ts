import { readNamedFile } from '../../../files/read.ts';
import { Problem } from '../../../model/problem.ts';
import { workerName } from '../../../services/workers/deploy-project.ts';
import * as secrets from '../../../services/workers/secrets.ts';
import type { World } from '../../../world.ts';
import { command } from '../../parsing/command.ts';
import { interruptibleStdin } from '../../stdin.ts';
import type * as declared from './declarations.ts';
import { readSecret, readText } from './secret-input.ts';

export const putCommand = command<typeof declared.secretPut>({
  async run(context, { args, flags }) {
    secrets.checkSecretName(args.NAME);
    if (isManyWorkers(flags))
      return (await import('./secret-on-many-workers.ts')).putOnMany(context, args.NAME, flags);
    const session = await context.session();
    const worker = await workerName(session, flags.name);
    const question = `Value of the secret ${args.NAME} for worker "${worker}" on ${session.label} (not shown): `;
    const command = ['secret', 'put', args.NAME, '--name', worker];
    const { text, trimmed } = await readSecret(context.world, { question, what: 'secret', command });
    if (trimmed) context.output.note('Removed the newline at the end of standard input.');
    const before = await secrets.listSecrets(session, worker, { wants: 'give' });
    const replaced = before.some(({ name }) => name === args.NAME);
    await secrets.putSecret(session, worker, args.NAME, text);
    const end = replaced ? ', replacing its value' : '';
    await context.output.result(`Set secret ${args.NAME} for worker "${worker}"${end}.`, {
      name: args.NAME,
      worker,
      replaced,
    });
    return 0;
  },
});

export const listCommand = command<typeof declared.secretList>({
  async run(context, { flags }) {
    const session = await context.session();
    const worker = await workerName(session, flags.name);
    await context.output.answerJson(
      await secrets.listSecrets(session, worker, { signal: context.world.interrupted }),
    );
  },
});

export const deleteCommand = command<typeof declared.secretDelete>({
  async run(context, { args, flags }) {
    if (isManyWorkers(flags))
      return (await import('./secret-on-many-workers.ts')).deleteOnMany(context, args.NAME, flags);
    const session = await context.session();
    const worker = await workerName(session, flags.name);
    await context.ask.confirm(
      `Delete secret ${args.NAME} from worker "${worker}" on ${session.label}? The value cannot be restored.`,
      `Secret ${args.NAME} of worker "${worker}" would be deleted.`,
    );
    await secrets.removeSecret(session, worker, args.NAME);
    await context.output.result(`Deleted secret ${args.NAME} from worker "${worker}".`, {
      name: args.NAME,
      worker,
      deleted: true,
    });
    return 0;
  },
});

export const bulkCommand = command<typeof declared.secretBulk>({
  async run(context, { args, flags }) {
    const session = await context.session();
    const worker = await workerName(session, flags.name);
    const changes = secrets.parseSecrets(await readFile(context.world, args.FILE), sourceName(args.FILE));
    const removed = [...changes].filter(([, text]) => text === null).map(([name]) => name);
    const set = [...changes.keys()].filter((name) => !removed.includes(name));
    if (removed.length > 0) {
      const count = countSecrets(removed.length);
      const list = removed.join(', ');
      await context.ask.confirm(
        `Delete ${count} of worker "${worker}" on ${session.label}: ${list}?`,
        `Worker "${worker}" would lose ${count}: ${list}.`,
      );
    }
    await secrets.changeSecrets(session, worker, changes);
    const line = `Set ${countSecrets(set.length)} of worker "${worker}", and deleted ${removed.length}.`;
    await context.output.result(line, { worker, set, deleted: removed });
  },
});

function countSecrets(count: number): string {
  return count === 1 ? '1 secret' : `${count} secrets`;
}

/** Returns whether the flags can select several workers. Rejects mutually exclusive flags. */
function isManyWorkers(flags: {
  readonly name: string | undefined;
  readonly workers: string | undefined;
  readonly 'all-workers': boolean;
}): boolean {
  const given = [
    ...(flags.name === undefined ? [] : ['--name']),
    ...(flags.workers === undefined ? [] : ['--workers']),
    ...(flags['all-workers'] ? ['--all-workers'] : []),
  ];
  if (given.length > 1) throw new Problem('usage', `${given.join(' and ')} cannot be used together.`);
  return given.length === 1 && flags.name === undefined;
}

function sourceName(name: string): string {
  return name === '-' ? 'Standard input' : name;
}

async function readFile(world: World, name: string): Promise<string> {
  if (name === '-') return readText(interruptibleStdin(world), sourceName(name));
  return readNamedFile(world, { name }, (bytes) => readText(bytes, name));
}
