import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { expect, test } from 'vitest';
import { type Chance, chanceFrom } from '../worlds/chance.ts';
import { pagePath, saveFigures } from './figures.ts';
import { renderPage } from './page.ts';
import { type Trial, type TrialName, trials } from './trials.ts';

/** One run of a trial. */
export interface Run {
  readonly chance: Chance;
  /** The number of attempts to make. */
  readonly size: number;
  /** Adds to the number of attempts made. */
  attempted(count?: number): void;
  /** Records a broken promise; the trial continues. */
  found(finding: string): void;
  /** Adds a remark to the figures. */
  remark(remark: string): void;
}

/** Declares a trial as a test. A run in full size, or with RELIABILITY_RECORD=1, writes its figures whether it passes or not. */
export function trial(name: TrialName, body: (run: Run) => Promise<void>): void {
  const { variable, size: full }: Trial = trials[name];
  test(`reliability: ${name}`, async () => {
    const seed = process.env['RELIABILITY_SEED'] ?? randomBytes(4).toString('hex');
    const size = Number(process.env[variable] ?? full);
    console.log(`${name}: seed ${seed}, ${variable}=${size}`);
    const findings: string[] = [];
    const remarks: string[] = [];
    let attempts = 0;
    const began = performance.now();
    let failure: unknown;
    try {
      await body({
        chance: chanceFrom(`${seed} ${name}`),
        size,
        attempted: (count = 1) => {
          attempts += count;
        },
        found: (finding) => findings.push(finding),
        remark: (remark) => remarks.push(remark),
      });
    } catch (error) {
      failure = error;
      console.log(`${name}: ${error}`);
    }
    const figures = {
      ...(size !== full && { size }),
      attempts,
      findings: findings.length + (failure === undefined ? 0 : 1),
      remarks: remarks.join('; '),
      seconds: Math.round((performance.now() - began) / 1000),
      seed,
      date: new Date().toISOString().slice(0, 10),
      commit: programCommit(),
      machine: describeMachine(),
    };
    console.log([`${name}: ${JSON.stringify(figures)}`, ...findings.slice(0, 20)].join('\n'));
    const isKept = size === full || process.env['RELIABILITY_RECORD'] === '1';
    if (isKept) writeFileSync(pagePath, renderPage(saveFigures(name, figures)));
    if (failure !== undefined) throw failure;
    expect(findings).toEqual([]);
    expect(attempts).toBeGreaterThan(0);
  });
}

/** Returns the last commit that changed the program, with a mark if there are uncommitted changes. */
function programCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', [...args, '--', 'src', 'components', 'package.json'], { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain') === '' ? '' : ' and changes';
  return `${git('log', '-1', '--format=%h')}${changed}`;
}

function describeMachine(): string {
  const cores = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const model = cores[0]?.model.trim() ?? '';
  return `${cores.length} cores (${model}), ${memory} GiB, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}`;
}
