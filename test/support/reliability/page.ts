import type { Figures, FiguresByTrial } from './figures.ts';
import { suites, type Trial, type TrialName, trials } from './trials.ts';

const introduction = `# Reliability

This page lists what edgectl promises when something fails, and how the promises were tested. The suites in \`test/soak/reliability\` write
this page when they run at full size (\`npm run test:soak -- test/soak/reliability\`, about an hour). Each row shows the last recorded run of
one trial. All trials run against the sandbox on one machine, never against a real account.

- **attempts**: number of induced failures, comparisons, commands or requests.
- **findings**: number of broken promises in that run. A finding fails the suite.
- **seconds**: duration of that run; other work on the machine makes it longer.
- **seed**: seed of the random choices. To repeat the same choices, set \`RELIABILITY_SEED\`. The moment of a kill also depends on the machine's speed.
- **commit**: the last commit that changed the program before the run.

Set the variable in the "size" column to run a trial at another size. That run prints its figures, and
records them only if \`RELIABILITY_RECORD=1\` is set.
`;

/** Renders docs/reliability.md. */
export function renderPage(figures: FiguresByTrial): string {
  const names = Object.keys(trials) as TrialName[];
  const sections = Object.entries(suites).map(([suite, { title, promise }]) => {
    const rows = names.filter((name) => trials[name].suite === suite).map((name) => row(name, figures[name]));
    return [`## ${title}`, '', promise, '', ...head, ...rows, ''].join('\n');
  });
  return [introduction, ...sections, machines(figures)].join('\n');
}

const head = [
  '| tried | attempts | findings | remarks | seconds | size | seed | date | commit |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

function row(name: TrialName, figures: Figures | undefined): string {
  const { tried, unit, variable, size }: Trial = trials[name];
  const isFull = figures?.size === undefined;
  const setting = `\`${variable}=${figures?.size ?? size}\`${isFull ? '' : `; full size ${size}`}`;
  if (figures === undefined) return `| ${tried} | not run yet | | | | ${setting} | | | |`;
  const { attempts, findings, remarks, seconds, seed, date, commit } = figures;
  const cells = [tried, `${attempts.toLocaleString('en')} ${unit}`, String(findings), remarks];
  return `| ${[...cells, String(seconds), setting, seed, date, commit].join(' | ')} |`;
}

function machines(figures: FiguresByTrial): string {
  const used = new Set(Object.values(figures).map(({ machine }) => machine));
  return ['## Machines', '', ...[...used].map((machine) => `- ${machine}`), ''].join('\n');
}
