import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startSandbox } from '../../support/program.ts';
import {
  createNamespace,
  killIn,
  measureDuration,
  mustRun,
  personAt,
  runProcess,
  startProcess,
} from '../../support/reliability/processes.ts';
import { trial } from '../../support/reliability/trial.ts';

interface Entry {
  readonly id: string;
  readonly thing: { readonly key?: string };
}

trial('undo', async ({ chance, size, attempted, found, remark }) => {
  const sandbox = await startSandbox();
  const person = personAt(sandbox);
  try {
    const id = await createNamespace(person, 'UNDO');
    await mustRun(person, ['objstore', 'bucket', 'create', 'data']);
    const kv = ['kv', 'key'];
    const at = ['--namespace-id', id];
    const things = [
      {
        put: (name: string, value: string) => [...kv, 'put', name, value, '--metadata', '{"a":1}', ...at],
        get: (name: string) => [...kv, 'get', name, ...at],
        remove: (name: string) => [...kv, 'delete', name, '--undo', ...at],
      },
      {
        put: (name: string, value: string) => {
          writeFileSync(join(person.cwd, 'value'), value);
          return ['objstore', 'object', 'put', `data/${name}`, '--path', 'value'];
        },
        get: (name: string) => ['objstore', 'object', 'get', `data/${name}`],
        remove: (name: string) => ['objstore', 'object', 'delete', `data/${name}`, '--undo'],
      },
    ];
    const entries = async (): Promise<Entry[]> =>
      JSON.parse(await mustRun(person, ['undo', 'list', '--json']));
    let takes = 400;
    // The first third of a run is the program's startup.
    const moment = () => (0.3 + chance.next() * 0.9) * takes;
    let restored = 0;
    let deleted = 0;
    for (let kill = 0; kill < size; kill += 2) {
      const [thing = things[0], name, value] = [things[(kill / 2) % 2], `name ${kill}`, `precious ${kill}`];
      if (thing === undefined) return;
      const valueNow = async () => {
        const { code, out } = await runProcess(person, thing.get(name));
        expect([0, 3]).toContain(code);
        return code === 0 ? out : undefined;
      };
      await mustRun(person, thing.put(name, value).concat(thing === things[0] ? ['--any-key'] : []));
      if (kill < 4) {
        takes = await measureDuration(() => mustRun(person, thing.remove(name)));
        await mustRun(person, ['undo', 'restore']);
      }
      await killIn(startProcess(person, thing.remove(name)), moment());
      attempted();
      const left = await valueNow();
      const [entry] = await entries();
      const isKept = entry?.thing.key === name;
      if (left === undefined) deleted += 1;
      if (left !== undefined && left !== value) found(`${name} neither exists nor was deleted`);
      if (left === undefined && !isKept) found(`${name} was deleted, and undo does not have it`);
      if (entry === undefined || !isKept) continue;
      const restore = ['undo', 'restore', entry.id, '--json'];
      await killIn(startProcess(person, restore), moment());
      attempted();
      const isStillKept = (await entries()).some((one) => one.id === entry.id);
      const after = await valueNow();
      if (after === undefined && !isStillKept) found(`${name} is neither restored nor kept`);
      if (isStillKept) await mustRun(person, restore);
      else restored += 1;
      if ((await valueNow()) !== value) found(`${name} was restored with another value`);
    }
    expect(await entries()).toEqual([]);
    remark(
      `${deleted} deletes and ${restored} restores were done before the kill; the other entries were restored after it`,
    );
  } finally {
    await sandbox.stop();
  }
});
