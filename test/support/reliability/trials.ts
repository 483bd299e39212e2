/** Suites of faults, with what edgectl promises under each. */
export const suites = {
  kills: {
    title: 'Killed processes',
    promise: `A process is killed with SIGKILL at a random moment, and the command runs again. What was confirmed before the kill is
stored. Nothing is half done without a sign of it. Running the command again completes the work, and repeats only requests
that were in flight.`,
  },
} as const;

export interface Trial {
  readonly suite: keyof typeof suites;
  /** What is tried, as the page shows it. */
  readonly tried: string;
  /** What is counted as an attempt, in the plural. */
  readonly unit: string;
  /** Environment variable that sets the size. */
  readonly variable: string;
  /** The size of a full run. */
  readonly size: number;
}

/** Every trial of `test/soak/reliability`. */
export const trials = {
  'bulk put': { suite: 'kills', tried: '`kv bulk put --resume`', unit: 'kills', variable: 'KILLS', size: 50 },
  'bulk delete': {
    suite: 'kills',
    tried: '`kv bulk delete --resume`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  copy: { suite: 'kills', tried: '`kv copy --resume`', unit: 'kills', variable: 'KILLS', size: 15 },
  clear: { suite: 'kills', tried: '`kv namespace clear`', unit: 'kills', variable: 'KILLS', size: 15 },
  export: {
    suite: 'kills',
    tried: '`kv export --output --force`',
    unit: 'kills',
    variable: 'KILLS',
    size: 15,
  },
  'two puts': {
    suite: 'kills',
    tried: 'two processes of `kv bulk put --resume` on one file',
    unit: 'rounds',
    variable: 'KILLS',
    size: 6,
  },
  'snapshot load': {
    suite: 'kills',
    tried: '`sandbox snapshot load`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  'snapshot save': {
    suite: 'kills',
    tried: '`sandbox snapshot save --force`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  reconcile: {
    suite: 'kills',
    tried: '`hostname reconcile --apply`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  watch: { suite: 'kills', tried: '`hostname watch --webhook`', unit: 'kills', variable: 'KILLS', size: 30 },
  undo: {
    suite: 'kills',
    tried: 'single deletes and `undo restore`',
    unit: 'kills',
    variable: 'KILLS',
    size: 60,
  },
  deploy: { suite: 'kills', tried: '`deploy`', unit: 'kills', variable: 'KILLS', size: 15 },
} as const satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof trials;
