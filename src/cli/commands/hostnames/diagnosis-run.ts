import { Problem } from '../../../model/problem.ts';
import type { Progress, Reporter } from '../../../model/progress.ts';
import {
  factsLifeMs,
  type RunKey,
  type SavedRun,
  withSavedRun,
} from '../../../services/diagnosis/saved-run.ts';
import { platformClock } from '../../../services/session/platform-info.ts';
import { groupDigits } from '../../../text/size.ts';
import { closeDuration } from '../../../text/time.ts';
import { openProgress } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import { resumeCommand } from '../kv/bulk-report.ts';
import { formatCount } from '../objects/report.ts';
import type { OpenZone } from './zone-choice.ts';

/** A diagnosis of many hostnames, run by a command. */
export interface DiagnosisRun extends Omit<RunKey, 'zoneId'> {
  readonly resume: boolean;
  readonly quiet: boolean;
  /** The file with the hostnames, as typed. */
  readonly file?: string | undefined;
}

/** The saved state to resume from and write to, and the receiver of progress. */
export interface DiagnosisRunOptions {
  readonly savedRun: SavedRun | undefined;
  readonly reporter: Reporter;
}

/**
 * Diagnoses many hostnames, and shows progress. If Ctrl-C or a failure ends the diagnosis early, prints the progress so far and how to
 * resume.
 */
export async function diagnoseMany<T>(
  context: Context,
  { session, zoneId }: OpenZone,
  { operation, how, resume, quiet, file }: DiagnosisRun,
  work: (run: DiagnosisRunOptions) => Promise<T>,
): Promise<T> {
  const { world, output } = context;
  const display = openProgress(world, output, quiet);
  let progress: Progress | undefined;
  const reporter: Reporter = {
    ...display,
    progress(now) {
      progress = now;
      display.progress(now);
    },
  };
  return withSavedRun(session, { operation, zoneId, how }, resume, async (savedRun) => {
    if (resume && savedRun !== undefined) noteReusedResults(context, savedRun, await platformClock(session));
    try {
      const result = await work({ savedRun, reporter });
      await savedRun?.end();
      return result;
    } catch (error) {
      display.end();
      printResumeHint(context, savedRun, progress, file);
      throw error;
    } finally {
      display.end();
    }
  });
}

function noteReusedResults({ output }: Context, { earlier, since }: SavedRun, now: () => number): void {
  if (since === undefined) {
    output.note('No run from the last hour is saved: diagnosing all hostnames.', { earlier });
    return;
  }
  const age = closeDuration((now() - since) / 1000);
  const words = `Reusing the diagnoses of ${formatCount(earlier, 'hostname')}, made up to ${age} ago; diagnosing the others.`;
  output.note(words, { earlier, since: new Date(since).toISOString() });
}

function printResumeHint(
  { world, output }: Context,
  savedRun: SavedRun | undefined,
  progress: Progress | undefined,
  file: string | undefined,
): void {
  const { done = 0, total } = progress ?? {};
  if (savedRun === undefined || done === 0) return;
  const of = total === undefined ? '' : ` of ${groupDigits(total)}`;
  const { passing } = savedRun;
  const again =
    passing === 0
      ? ''
      : `, of which ${groupDigits(passing)} must be rechecked because a server could not be reached`;
  const noun = (total ?? done) === 1 ? 'hostname' : 'hostnames';
  const summary = `Diagnosed ${groupDigits(done)}${of} ${noun}${again}`;
  const fields = { looked: done, total, passing };
  if (savedRun.fault !== undefined) {
    output.warn(`${summary}; some results could not be saved (${savedRun.fault}).`, fields);
    return;
  }
  const minutes = factsLifeMs / 60_000;
  output.warn(`${summary}; saved for ${minutes} minutes. ${resumeCommand(world.argv, file)}`, fields);
}

/** Refuses to resume a diagnosis that saves no intermediate results. */
export function refuseResume(resume: boolean, why: string): void {
  if (resume) throw new Problem('usage', `${why}: omit --resume.`);
}
