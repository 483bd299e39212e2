import { check, type DoctorCheck, type Grade, worstGrade } from '../../model/doctor/check.ts';
import { idFault, localIdFault } from '../../model/id.ts';
import type { World } from '../../world.ts';
import { isChosenFolder, sandboxFolder } from '../sandbox/folder.ts';
import type { Choice, Session } from '../session/session.ts';
import { readActing, readConfiguration } from './acting.ts';
import { bindingChecks } from './bindings.ts';
import { failedCheck } from './failed.ts';
import { type CheckedFolder, folderChecks } from './folders.ts';
import { permissionChecks } from './permissions.ts';
import { findPlace } from './place.ts';
import { askPlatform } from './platform.ts';
import { profileChecks } from './profiles.ts';
import { programChecks, terminalCheck } from './program.ts';

/** All that was found about the program, its machine, and where it would act. */
export interface Examination {
  /** The gravest of all. */
  readonly grade: Grade;
  /** Whether there are no credentials at all. */
  readonly isSignedOut: boolean;
  readonly checks: readonly DoctorCheck[];
}

/** Looks at a session that is open: of local data at what they need, and at no account. */
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
 * Looks at everything that a command would need, and changes nothing. What is wrong is told, not thrown; only an
 * interruption and a fault of ours are. `open` opens the session to look at, which the caller closes.
 */
export async function examine(
  world: World,
  choice: Choice,
  open: () => Promise<Session>,
): Promise<Examination> {
  const acting = await readActing(world, choice);
  const checks = [
    ...programChecks(),
    ...acting.checks,
    ...(acting.credentials === undefined
      ? await bindingChecks(acting.project, { namespaceFault })
      : await sessionChecks(open, acting)),
    ...folderChecks(world, sandboxToCheck(world, choice, acting)),
    ...(await profileChecks(world)),
    terminalCheck(world),
  ];
  return { grade: worstGrade(checks), isSignedOut: acting.isSignedOut, checks };
}

/** On a platform, and in a sandbox. */
const namespaceFault = (id: string): string | undefined => idFault('namespace', id);

async function sessionChecks(
  open: () => Promise<Session>,
  acting: Awaited<ReturnType<typeof readActing>>,
): Promise<DoctorCheck[]> {
  try {
    const session = await open();
    const { credentials } = acting;
    const isToken = credentials?.kind !== 'platform' || 'token' in credentials.auth;
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

/** The folder of the sandbox, where commands act in one or somebody has chosen it. */
function sandboxToCheck(
  world: World,
  { sandboxDir }: Choice,
  { credentials }: Awaited<ReturnType<typeof readActing>>,
): CheckedFolder | undefined {
  try {
    if (credentials?.kind !== 'sandbox' && !isChosenFolder(world, sandboxDir)) return undefined;
    return { name: 'sandbox-folder', path: sandboxFolder(world, sandboxDir) };
  } catch {
    // A misspelt variable or a missing home, which other checks report.
    return undefined;
  }
}
