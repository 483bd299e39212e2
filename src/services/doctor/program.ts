import { arch, execPath, platform, versions } from 'node:process';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { version } from '../../model/version.ts';
import type { World } from '../../world.ts';

/** The releases of Node that edgectl is tested with. */
const testedNodes = [22, 24, 26];

/** The program, and what runs it. */
export function programChecks(): DoctorCheck[] {
  const { node } = versions;
  const message = `Node ${node} (${execPath}, ${platform} ${arch})`;
  const facts = { version: node, path: execPath, platform, arch };
  const isTested = testedNodes.includes(Number.parseInt(node, 10));
  const hint = `edgectl is tested with Node ${testedNodes.join(', ')}: install one of those.`;
  return [
    check.ok('version', `edgectl ${version}`, { version }),
    isTested ? check.ok('node', message, facts) : check.warning('node', message, { hint }, facts),
  ];
}

/** The least that the console is drawn well on. */
const least = { columns: 80, rows: 24 };

/** The terminal: its size, its colours, what it calls itself. */
export function terminalCheck({
  stdout,
  stderr,
  env,
}: Pick<World, 'stdout' | 'stderr' | 'env'>): DoctorCheck {
  const stream = [stdout, stderr].find(({ isTTY }) => isTTY === true);
  if (stream === undefined) {
    return check.ok('terminal', 'None: output goes to a file or a pipe', { isTerminal: false });
  }
  const { columns = 0, rows = 0 } = stream;
  const term = env['TERM'] ?? '';
  const colors = colorsOf(env);
  const facts = { isTerminal: true, columns, rows, term, colors };
  const message = `${columns}x${rows}, ${colors} colours, TERM=${term}`;
  if (term === '' || term === 'dumb') {
    const hint =
      'The console needs a terminal that can be drawn on: set TERM, for example to xterm-256color.';
    return check.warning('terminal', message, { hint }, facts);
  }
  if (columns >= least.columns && rows >= least.rows) return check.ok('terminal', message, facts);
  const hint = `The console shows more from ${least.columns}x${least.rows} on: make the window larger.`;
  return check.warning('terminal', message, { hint }, facts);
}

/** How many colours the variables promise; those of the console are 256 at most. */
function colorsOf(env: World['env']): number {
  const { NO_COLOR: none = '', COLORTERM: more = '', TERM: term = '' } = env;
  if (none !== '' || term === '' || term === 'dumb') return 0;
  if (/truecolor|24bit/.test(more)) return 2 ** 24;
  return /256/.test(term) ? 256 : 16;
}
