import { check, type DoctorCheck, type Grade, worstGrade } from '../../model/doctor/check.ts';
import type { World } from '../../world.ts';
import type { Choice, Session } from '../session/session.ts';
import { configurationCheck, readActing } from './acting.ts';
import { failedCheck } from './failed.ts';
import { folderChecks } from './folders.ts';
import { permissionChecks } from './permissions.ts';
import { findPlace } from './place.ts';
import { askPlatform } from './platform.ts';
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
  const checks = [
    ...programChecks(),
    await configurationCheck(world, choice),
    check.ok('platform', `Local data in ${where.folder}`, { folder: where.folder }),
    ...folderChecks(world),
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
    ...(acting.credentials === undefined ? [] : await sessionChecks(open, acting)),
    ...folderChecks(world),
    terminalCheck(world),
  ];
  return { grade: worstGrade(checks), isSignedOut: acting.isSignedOut, checks };
}

async function sessionChecks(
  open: () => Promise<Session>,
  acting: Awaited<ReturnType<typeof readActing>>,
): Promise<DoctorCheck[]> {
  try {
    const session = await open();
    const { credentials } = acting;
    const isToken = credentials?.kind !== 'platform' || 'token' in credentials.auth;
    const { checks, isOpen, token } = await askPlatform(session, isToken);
    if (!isOpen) return [...checks];
    const place = await findPlace(session, acting);
    return [...checks, ...place.checks, ...(await permissionChecks(session, place, token))];
  } catch (error) {
    return [failedCheck('platform', error)];
  }
}
