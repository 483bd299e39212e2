import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, isObject, readJson, refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';
import { requireWorker } from './find.ts';

/** A time at which a worker is to run, as cron writes it. */
interface Schedule {
  readonly cron: string;
  readonly created_on: string;
  readonly modified_on: string;
}

type All = Readonly<Record<string, readonly Schedule[]>>;

const setting = 'worker_schedules';
const cron = /^\s*(?:[\w*,/#-]+\s+){4}[\w*,/#-]+\s*$/;

export function getSchedules(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const all = (exchange.platform.registry().settings.read(setting) ?? {}) as All;
  return ok({ schedules: schedulesIn(all, name) });
}

/** A worker may be called as what every object inherits. */
function schedulesIn(all: All, name: string): readonly Schedule[] {
  return Object.hasOwn(all, name) ? (all[name] ?? []) : [];
}

/** Sets all schedules of a worker: `[{cron}]`. The sandbox keeps them, and never runs a worker by them. */
export async function putSchedules(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const { platform } = exchange;
  const body = await readJson(exchange, 'the schedules', 64 * 1024);
  if (!Array.isArray(body)) throw invalid('it is a list of {"cron"}');
  const crons = body.map((entry: unknown) => {
    const text = isObject(entry) ? entry['cron'] : undefined;
    if (typeof text !== 'string' || !cron.test(text)) throw invalid(`"${String(text)}" has no five fields`);
    return text.trim();
  });
  const now = new Date(clockNow(platform)).toISOString();
  platform.registry().settings.change(setting, (value) => {
    const all = (value ?? {}) as All;
    const { [name]: _, ...others } = all;
    const before = schedulesIn(all, name);
    const schedules = [...new Set(crons)].map((text): Schedule => {
      const kept = before.find((one) => one.cron === text);
      return kept ?? { cron: text, created_on: now, modified_on: now };
    });
    return schedules.length === 0 ? others : { ...others, [name]: schedules };
  });
  return getSchedules(exchange);
}

function invalid(why: string) {
  return refusal(400, workerCodes.cronInvalid, `invalid cron string: ${why}`);
}

/** Forgets the schedules of a worker that goes away. */
export function dropSchedules({ platform }: Pick<Exchange, 'platform'>, name: string): void {
  platform.registry().settings.change(setting, (value) => {
    const { [name]: _, ...others } = (value ?? {}) as All;
    return Object.keys(others).length === 0 ? undefined : others;
  });
}
