import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, execPath, platform, versions } from 'node:process';
import { check, type DoctorCheck, type Grade, worstGrade } from '../../model/doctor/check.ts';
import { idFault, localIdFault } from '../../model/id.ts';
import { version } from '../../model/version.ts';
import type { World } from '../../world.ts';
import { isChosenFolder, sandboxFolder } from '../sandbox/folder.ts';
import type { Choice, Session } from '../session/session.ts';
import { readActing, readConfiguration } from './acting.ts';
import { bindingChecks } from './bindings.ts';
import { failedCheck } from './failed.ts';
import { type CheckedFolder, folderChecks } from './folders.ts';
import { newerVersionCheck } from './newer-version.ts';
import { permissionChecks } from './permissions.ts';
import { findPlace } from './place.ts';
import { askPlatform } from './platform.ts';

/** The results of the checks of the program, the machine, and the platform that commands use. */
export interface Examination {
  /** The worst grade among the checks. */
  readonly grade: Grade;
  /** Whether no credentials are set. */
  readonly isSignedOut: boolean;
  readonly checks: readonly DoctorCheck[];
}

/** Checks everything that commands in this session may need. For local data, omits the checks of accounts. */
export async function examineSession(session: Session): Promise<Examination> {
  const { world, choice, where } = session;
  if (where.kind !== 'local') return examine(world, choice, async () => session);
  const { check: ofConfig, project } = await readConfiguration(world, choice);
  const checks = [
    ...programChecks(),
    ofConfig,
    ...(await bindingChecks(project, { namespaceFault: localIdFault })),
    check.ok('platform', `Local data in ${where.folder}`, { folder: where.folder }),
    ...folderChecks(world, { name: 'local-folder', path: where.folder }),
    ...(await profileChecks(world)),
    terminalCheck(world),
  ];
  return { grade: worstGrade(checks), isSignedOut: false, checks };
}

/**
 * Checks everything that a command may need, without changing anything. Reports problems as checks; throws only interruptions and bugs.
 * `open` opens the session to check, which the caller must close.
 */
export async function examine(
  world: World,
  choice: Choice,
  open: () => Promise<Session>,
): Promise<Examination> {
  const acting = await readActing(world, choice);
  // Queries npm in parallel, so that npm does not delay the other checks.
  const newer = newerVersionCheck(world, acting.credentials);
  const checks = [
    ...programChecks(),
    ...acting.checks,
    ...(acting.credentials === undefined
      ? await bindingChecks(acting.project, { namespaceFault })
      : await sessionChecks(open, acting)),
    ...folderChecks(world, findSandboxFolder(world, choice, acting)),
    ...(await profileChecks(world)),
    terminalCheck(world),
  ];
  const found = await newer;
  if (found !== undefined) checks.splice(1, 0, found);
  return { grade: worstGrade(checks), isSignedOut: acting.isSignedOut, checks };
}

/** Returns why an id is invalid as a namespace id of a platform or a sandbox; undefined if the id is valid. */
const namespaceFault = (id: string): string | undefined => idFault('namespace', id);

async function sessionChecks(
  open: () => Promise<Session>,
  acting: Awaited<ReturnType<typeof readActing>>,
): Promise<DoctorCheck[]> {
  try {
    const session = await open();
    const { credentials } = acting;
    const isToken =
      credentials?.kind !== 'platform' || credentials.auth === undefined || 'token' in credentials.auth;
    const { checks, isOpen, token } = await askPlatform(session, isToken);
    const { project } = acting;
    if (!isOpen) return [...checks, ...(await bindingChecks(project, { namespaceFault }))];
    const place = await findPlace(session, acting);
    const account = place.account === undefined ? undefined : { id: place.account, session };
    return [
      ...checks,
      ...place.checks,
      ...(await bindingChecks(project, { namespaceFault, account })),
      ...(await permissionChecks(session, place, token)),
    ];
  } catch (error) {
    return [failedCheck('platform', error)];
  }
}

/** Returns the folder of the sandbox if commands use a sandbox, or if the user has chosen a folder. */
function findSandboxFolder(
  world: World,
  { sandboxDir }: Choice,
  { credentials }: Awaited<ReturnType<typeof readActing>>,
): CheckedFolder | undefined {
  try {
    if (credentials?.kind !== 'sandbox' && !isChosenFolder(world, sandboxDir)) return undefined;
    return { name: 'sandbox-folder', path: sandboxFolder(world, sandboxDir) };
  } catch {
    // Other checks report a misspelled variable or a missing home folder.
    return undefined;
  }
}

/** Returns a check that lists the damaged profiles; an empty list if there are none. */
async function profileChecks({ folders }: Pick<World, 'folders'>): Promise<DoctorCheck[]> {
  if (!hasProfiles(folders)) return [];
  const { openProfiles } = await import('../../profiles/profiles.ts');
  try {
    const damaged = (await openProfiles(folders.config))
      .list()
      .flatMap(({ name, problem }) =>
        problem === undefined ? [] : [{ name, reason: problem.message.replace(/\.$/, '') }],
      );
    if (damaged.length === 0) return [];
    const hint = 'Repair or delete the damaged files; edgectl does not overwrite them.';
    const names = damaged.map(({ name }) => name);
    return [
      check.wrong('profiles', damaged.map(({ reason }) => reason).join('\n'), { hint }, { damaged: names }),
    ];
  } catch {
    // The check of the credentials reports unreadable settings.
    return [];
  }
}

function hasProfiles(folders: World['folders']): boolean {
  try {
    return existsSync(join(folders.config, 'profiles'));
  } catch {
    return false;
  }
}

/** Node releases with which edgectl is tested. */
const testedNodes = [22, 24, 26];

/** Checks the program and its runtime. */
function programChecks(): DoctorCheck[] {
  const { node } = versions;
  const message = `Node ${node} (${execPath}, ${platform} ${arch})`;
  const facts = { version: node, path: execPath, platform, arch };
  const isTested = testedNodes.includes(Number.parseInt(node, 10));
  const hint = `edgectl is tested with Node ${testedNodes.join(', ')}: install one of these versions.`;
  return [
    check.ok('version', `edgectl ${version}`, { version }),
    isTested ? check.ok('node', message, facts) : check.warning('node', message, { hint }, facts),
  ];
}

/** Minimum terminal size for the console. */
const minSize = { columns: 80, rows: 24 };

/** Checks the terminal: size, colors and TERM. */
function terminalCheck({ stdout, stderr, env }: Pick<World, 'stdout' | 'stderr' | 'env'>): DoctorCheck {
  const stream = [stdout, stderr].find(({ isTTY }) => isTTY === true);
  if (stream === undefined) {
    return check.ok('terminal', 'None: output goes to a file or a pipe', { isTerminal: false });
  }
  const { columns = 0, rows = 0 } = stream;
  const term = env['TERM'] ?? '';
  const colors = countColors(env);
  const facts = { isTerminal: true, columns, rows, term, colors };
  const message = `${columns}x${rows}, ${colors} colors, TERM=${term}`;
  if (term === '' || term === 'dumb') {
    const hint = 'The console needs a terminal with cursor control: set TERM, for example to xterm-256color.';
    return check.warning('terminal', message, { hint }, facts);
  }
  if (columns >= minSize.columns && rows >= minSize.rows) return check.ok('terminal', message, facts);
  const hint = `Enlarge the window: the console shows more in a terminal of at least ${minSize.columns}x${minSize.rows}.`;
  return check.warning('terminal', message, { hint }, facts);
}

/** Returns the number of colors of the terminal, according to the environment. */
function countColors(env: World['env']): number {
  const { NO_COLOR: none = '', COLORTERM: more = '', TERM: term = '' } = env;
  if (none !== '' || term === '' || term === 'dumb') return 0;
  if (/truecolor|24bit/.test(more)) return 2 ** 24;
  return /256/.test(term) ? 256 : 16;
}
