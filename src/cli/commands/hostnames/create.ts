import { unlikeWords } from '../../../model/hostnames/fleet/differences.ts';
import { Problem } from '../../../model/problem.ts';
import { ensureHostname } from '../../../services/hostnames/create.ts';
import { checkHostname } from '../../../services/hostnames/hostnames.ts';
import { parseDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import { createFromFile } from './create-file.ts';
import type * as declared from './declarations.ts';
import { answerRecord } from './list.ts';
import { waitFor } from './watch.ts';
import { wishesOf } from './wishes.ts';
import { openZone } from './zone-choice.ts';

export const createCommand = command<typeof declared.hostnameCreate>({
  async run(context, { args, flags }) {
    if ((args.HOSTNAME === undefined) === (flags.file === undefined)) throw oneSource(args.HOSTNAME);
    const wishes = wishesOf(flags);
    if (flags.file !== undefined) {
      if (flags.wait) throw new Problem('usage', '--wait is for one hostname, not for a --file.');
      return createFromFile(context, { ...flags, file: flags.file }, wishes);
    }
    return createOne(context, { ...flags, hostname: checkHostname(args.HOSTNAME ?? '') }, wishes);
  },
});

function oneSource(hostname: string | undefined): Problem {
  return new Problem(
    'usage',
    hostname === undefined
      ? 'No hostname is given: name one, or many with --file.'
      : 'Both a HOSTNAME and --file are given; the hostnames come from one of them.',
    { hint: 'edgectl hostname create --help' },
  );
}

async function createOne(
  context: Context,
  flags: {
    readonly hostname: string;
    readonly zone: string | undefined;
    readonly 'if-not-exists': boolean;
    readonly wait: boolean;
    readonly timeout: string | undefined;
  },
  wishes: ReturnType<typeof wishesOf>,
): Promise<number> {
  const timeout = flags.timeout === undefined ? undefined : parseDuration(flags.timeout);
  const zone = await openZone(context, flags);
  const { record, created, differences } = await ensureHostname(
    zone.session,
    zone.zoneId,
    { ...wishes, hostname: flags.hostname },
    { takeExisting: flags['if-not-exists'] },
  );
  context.output.note(
    created ? `Created custom hostname ${record.hostname}.` : `Took the existing ${record.hostname}.`,
    { created },
  );
  if (differences.length > 0) {
    context.output.warn(
      `${record.hostname} has other settings: ${unlikeWords(differences)}. edgectl hostname edit changes them.`,
    );
  }
  const besides = { created, ...(differences.length > 0 && { differences }) };
  if (flags.wait) return waitFor(context, zone, record, timeout, besides);
  await answerRecord(context, record, besides);
  return 0;
}
