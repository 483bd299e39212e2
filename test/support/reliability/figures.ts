import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type TrialName, trials } from './trials.ts';

/** The figures of the last recorded run of one trial. */
export interface Figures {
  /** The size of the run; absent for a run in full size. */
  readonly size?: number;
  readonly attempts: number;
  /** The number of broken promises. */
  readonly findings: number;
  /** A few words about what was compared, counted or measured. */
  readonly remarks: string;
  readonly seconds: number;
  readonly seed: string;
  /** Day of the run (UTC). */
  readonly date: string;
  /** Last commit that changed the program. */
  readonly commit: string;
  readonly machine: string;
}

export type FiguresByTrial = Readonly<Partial<Record<TrialName, Figures>>>;

const root = resolve(import.meta.dirname, '../../..');
const file = resolve(root, 'test/soak/reliability/figures.json');

export const pagePath = resolve(root, 'docs/reliability.md');

export function readFigures(): FiguresByTrial {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces the figures of one trial; the figures stay in the order of the trials. */
export function saveFigures(name: TrialName, figures: Figures): FiguresByTrial {
  const all: FiguresByTrial = { ...readFigures(), [name]: figures };
  const order = Object.keys(trials);
  const place = ([one]: [string, unknown]) => (order.includes(one) ? order.indexOf(one) : order.length);
  const saved = Object.fromEntries(Object.entries(all).toSorted((one, other) => place(one) - place(other)));
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
  return saved;
}
