import { Problem } from '../../../model/problem.ts';
import { ensureHostname } from '../../../services/hostnames/create.ts';
import { checkHostname } from '../../../services/hostnames/hostnames.ts';
import { parseDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import { createFromFile, fileFlags } from './create-file.ts';
import { wishesOf, wishFlags } from './flags.ts';
import { answerRecord } from './list.ts';
import { openZone, zoneFlags } from './place.ts';
import { timeoutFlag, waitFor } from './watch.ts';

const createFlags = {
  ...zoneFlags,
  ...wishFlags,
  'if-not-exists': { kind: 'boolean', about: 'Take a hostname that the zone already has' },
  wait: { kind: 'boolean', about: 'Wait until it is in service (exit 0) or has failed (exit 7)' },
  timeout: timeoutFlag,
  ...fileFlags,
} as const;

export const createCommand = command({
  arguments: { HOSTNAME: { about: "The customer's hostname; or --file", optional: true } },
  flags: createFlags,
  examples: [
    ['hostname create shop.acme.com', 'validated over HTTP once its CNAME leads here'],
    ['hostname create shop.acme.com --method txt --ca google --min-tls 1.2 --wait', 'and wait for it'],
    ['hostname create a-very-long-name…acme.com --branding', 'for more than 64 characters'],
    ['hostname create --file customers.csv', 'many, paced below the limit of 15 a minute'],
  ],
  notes: [
    'A file is CSV (with a heading line, or one hostname a line), NDJSON or a JSON array. Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON), metadata.<name>. Flags hold for every line that does not say otherwise. Every line is checked before the first one is sent.',
  ],
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
  const place = await openZone(context, flags);
  const { record, created } = await ensureHostname(
    place.session,
    place.zoneId,
    { ...wishes, hostname: flags.hostname },
    { takeExisting: flags['if-not-exists'] },
  );
  context.output.note(
    created ? `Created custom hostname ${record.hostname}.` : `Took the existing ${record.hostname}.`,
    { created },
  );
  if (flags.wait) return waitFor(context, place, record, timeout, true);
  await answerRecord(context, record);
  return 0;
}
