import { expect } from 'vitest';
import { visitEdge } from '../../sandbox/workers/test-sandbox.ts';
import { startSandbox } from '../../support/program.ts';
import {
  killIn,
  measureDuration,
  mustRun,
  personAt,
  startProcess,
  writeFiles,
} from '../../support/reliability/processes.ts';
import { trial } from '../../support/reliability/trial.ts';

trial('deploy', async ({ chance, size, attempted, found, remark }) => {
  const sandbox = await startSandbox();
  const person = personAt(sandbox);
  try {
    const port = Number(new URL(sandbox.ready.edgeUrl).port);
    let number = 0;
    const write = (): number => {
      number += 1;
      const config = ['name = "shop"', 'main = "src/index.ts"', 'compatibility_date = "2026-11-01"'];
      writeFiles(
        person.cwd,
        new Map([
          ['edgectl.toml', [...config, '[vars]', `WORD = "${number}"`, ''].join('\n')],
          [
            'src/index.ts',
            `export default { fetch: (_: unknown, env: { WORD: string }) => new Response("${number}:" + env.WORD) };`,
          ],
        ]),
      );
      return number;
    };
    const deploy = ['deploy', '--yes'];
    const answer = async () => (await visitEdge(port, 'shop.localhost', '/')).text;
    const deployments = async (): Promise<unknown[]> =>
      JSON.parse(await mustRun(person, ['worker', 'deployments', '--json']));
    write();
    await mustRun(person, deploy);
    const takes = await measureDuration(() => mustRun(person, deploy));
    let running = `${number}:${number}`;
    let count = (await deployments()).length;
    let done = 0;
    for (let kill = 0; kill < size; kill += 1) {
      const next = write();
      await killIn(startProcess(person, deploy), chance.next() * takes * 1.2);
      attempted();
      const now = await answer();
      const many = (await deployments()).length;
      const isNew = now === `${next}:${next}`;
      if (!isNew && now !== running) found(`the worker answers ${now} after deploy ${next} over ${running}`);
      if (many !== count + (isNew ? 1 : 0)) found(`${many - count} deployments of deploy ${next}`);
      if (isNew) done += 1;
      [running, count] = [now, many];
    }
    const last = write();
    await mustRun(person, deploy);
    expect(await answer()).toBe(`${last}:${last}`);
    expect(await deployments()).toHaveLength(count + 1);
    remark(`code and variable always belong to the same version; ${done} deploys were done before the kill`);
  } finally {
    await sandbox.stop();
  }
});
