import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../support/world.ts';

/** A fake program named npm in a separate folder. */
export interface FakeNpm {
  /** A PATH that starts with the folder of the fake npm. */
  readonly path: string;
  /** Returns the arguments of npm, one line per run. */
  runs(): string[];
  readonly folder: string;
}

/** Creates a fake npm that records its arguments and then runs these lines of shell. */
export function makeNpm(lines: string): FakeNpm {
  const folder = scratchFolder('npm');
  const log = join(folder, 'runs');
  writeFileSync(log, '');
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$*" >> '${log}'\n${lines}\n`, { mode: 0o755 });
  const runs = () => readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return { path: `${folder}:/usr/bin:/bin`, runs, folder };
}
