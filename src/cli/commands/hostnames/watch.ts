import type { CustomHostname } from '../../../model/hostnames/hostname.ts';
import { certificateMessages } from '../../../model/hostnames/hostname.ts';
import { toOutcome } from '../../../model/hostnames/list.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import { resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { watchHostname } from '../../../services/hostnames/watch.ts';
import { parseDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
import { type AnswerBesides, answerRecord } from './list.ts';
import { type OpenZone, openZone } from './zone-choice.ts';

export const watchCommand = command<typeof declared.hostnameWatch>({
  async run(context, { args, flags }) {
    if ((args.HOSTNAME === undefined) !== flags.all) throw oneOrAll(args.HOSTNAME);
    if (args.HOSTNAME === undefined) return (await import('./fleet/watch-all.ts')).watchAll(context, flags);
    const other = fleetFlags.find((name) => flags[name] !== undefined && flags[name] !== false);
    if (other !== undefined) throw new Problem('usage', `--${other} works only with --all.`);
    const timeout = flags.timeout === undefined ? undefined : parseDuration(flags.timeout);
    const zone = await openZone(context, flags);
    const record = await resolveHostname(zone.session, zone.zoneId, args.HOSTNAME);
    return waitFor(context, zone, record, timeout);
  },
});

const fleetFlags = ['status', 'exec', 'webhook', 'metrics', 'interval', 'once'] as const;

function oneOrAll(hostname: string | undefined): Problem {
  const message =
    hostname === undefined
      ? 'No hostname given: specify one, or watch the whole zone with --all.'
      : 'HOSTNAME and --all cannot be used together.';
  return new Problem('usage', message, { hint: 'edgectl hostname watch --help' });
}

/**
 * Prints each change of a hostname until the hostname is active or has failed, and then prints the last state. Returns exit code 0 if the
 * hostname is active, and otherwise throws check-failed (exit code 7). If a command has just created or found the hostname (`ensured`), the
 * last state is printed even if waiting fails, and a timeout throws partly-done.
 */
export async function waitFor(
  context: Context,
  { session, zoneId }: OpenZone,
  record: CustomHostname,
  timeout: number | undefined,
  ensured?: AnswerBesides,
): Promise<number> {
  let last = record;
  try {
    for await (const now of watchHostname(session, zoneId, record.id, { timeout })) {
      last = now;
      context.output.note(`${now.hostname}: ${toState(now)}.`, {
        hostname: now.hostname,
        state: stateFields(now),
      });
    }
  } catch (error) {
    if (ensured === undefined) throw error;
    // The id and the tokens of a new hostname are not shown anywhere else.
    await answerRecord(context, last, ensured);
    throw afterCreating(error);
  }
  await answerRecord(context, last, ensured);
  if (toOutcome(last) === 'ready') return 0;
  throw new Problem('check-failed', `${last.hostname} did not become active: ${toState(last)}.`, {
    remedy: { kind: 'diagnose', hostname: last.hostname },
  });
}

function afterCreating(error: unknown): unknown {
  if (!isProblem(error) || error.code !== 'check-failed') return error;
  return new Problem('partly-done', `The hostname exists, but ${error.message}`, {
    cause: error,
    hint: error.hint,
    remedy: error.remedy,
  });
}

/** Formats the state of a record: the status of the hostname and of the certificate, and the first error. */
export function toState(record: CustomHostname): string {
  const [error] = [...(record.verification_errors ?? []), ...certificateMessages(record)];
  const certificate = `certificate ${record.ssl?.status ?? 'none'}`;
  return `${record.status ?? 'no status'}, ${certificate}${error === undefined ? '' : ` (${error.replace(/\.$/, '')})`}`;
}

function stateFields({ status, ssl, verification_errors }: CustomHostname) {
  return { status, certificate: ssl?.status, errors: verification_errors ?? [] };
}
