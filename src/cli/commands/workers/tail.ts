import { Problem } from '../../../model/problem.ts';
import type { TraceFilter } from '../../../model/workers/trace-filter.ts';
import { workerName } from '../../../services/workers/deploy-project.ts';
import { type TailNews, tailWorker } from '../../../services/workers/tail.ts';
import { traceLines } from '../../../services/workers/trace-lines.ts';
import { formatWait } from '../../../v4/retry-after.ts';
import { type Context, command, type Input } from '../../parsing/command.ts';
import { formatCount } from '../objects/report.ts';
import { tailStatuses, type workerTail } from './worker-declarations.ts';

export const tailCommand = command<typeof workerTail>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    const filters = readFilters(flags);
    const isJson = readFormat(flags.format, output.json) === 'json';
    const session = await context.session();
    const name = await workerName(session, args.WORKER);
    for await (const news of tailWorker(session, name, filters, world.interrupted)) {
      if (news.kind === 'run' && isJson) await output.answerJsonLine(news.run);
      else if (news.kind === 'run') for (const { text } of traceLines(news.run)) await output.line(text);
      else printNews(context, `worker "${name}" on ${session.label}`, news);
    }
    return 0;
  },
});

function readFormat(given: string | undefined, json: boolean): string {
  if (given === undefined) return json ? 'json' : 'pretty';
  if (given !== 'pretty' && given !== 'json')
    throw new Problem('usage', `--format must be pretty or json, not "${given}".`);
  if (given === 'pretty' && json)
    throw new Problem('usage', '--format pretty and --json cannot be used together.');
  return given;
}

type ConnectionNews = Exclude<TailNews, { kind: 'run' }>;

function printNews({ output }: Context, what: string, news: ConnectionNews): void {
  const fields = { state: news.kind };
  if (news.kind === 'connected') output.note(`Listening to ${what}. Press Ctrl-C to stop.`, fields);
  else output.warn(formatNews(what, news), fields);
}

function formatNews(what: string, news: Exclude<ConnectionNews, { kind: 'connected' }>): string {
  switch (news.kind) {
    case 'lost':
      return `Lost the connection to the logs of ${what}: ${news.reason}. Retrying in ${formatWait(news.wait)}.`;
    case 'dropped':
      return `Dropped ${formatCount(news.count, 'run')}, because the platform sent runs faster than edgectl could print them.`;
    case 'ended':
      return `The platform ended the tail of ${what}${news.reason && `: ${news.reason}`}`;
    case 'notice':
      return news.message;
  }
}

/** Returns the filters in wire form. Rejects invalid filters before anything is sent. */
function readFilters(flags: Input<typeof workerTail>['flags']): TraceFilter[] {
  const { status, method, search, header, ip } = flags;
  const version = flags['version-id'];
  return [
    ...readSampling(flags['sampling-rate']),
    ...(status.length > 0 ? [{ outcome: status.flatMap(statusOutcomes) }] : []),
    ...(method.length > 0 ? [{ method: method.map((one) => one.toUpperCase()) }] : []),
    ...(header === undefined ? [] : [readHeader(header)]),
    ...(ip.length > 0 ? [{ client_ip: ip }] : []),
    ...(search === undefined ? [] : [{ query: search }]),
    ...(version === undefined ? [] : [{ scriptVersion: version }]),
  ];
}

function readSampling(text: string | undefined): TraceFilter[] {
  if (text === undefined) return [];
  const rate = text.trim() === '' ? Number.NaN : Number(text);
  if (rate === 1) return [];
  if (rate > 0 && rate < 1) return [{ sampling_rate: rate }];
  throw new Problem('usage', `--sampling-rate must be above 0 and at most 1, not "${text}".`);
}

function statusOutcomes(status: string): readonly string[] {
  if (status === 'ok' || status === 'canceled') return [status];
  if (status === 'error') return ['exception', 'exceededCpu', 'exceededMemory', 'unknown'];
  throw new Problem('usage', `--status must be one of ${tailStatuses.join(', ')}, not "${status}".`);
}

function readHeader(text: string): TraceFilter {
  const colon = text.indexOf(':');
  const key = (colon === -1 ? text : text.slice(0, colon)).trim();
  if (key === '') throw new Problem('usage', `--header must be NAME or NAME:TEXT, not "${text}".`);
  return { header: colon === -1 ? { key } : { key, query: text.slice(colon + 1).trim() } };
}
