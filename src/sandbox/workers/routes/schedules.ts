import { isObject } from '../../../model/json-object.ts';
import { settingMap } from '../../../store/hostnames/settings.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, readJson, refusal, toText } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';
import { requireWorker } from './find.ts';

/** A time at which a worker runs, in cron syntax. */
interface Schedule {
  readonly cron: string;
  readonly created_on: string;
  readonly modified_on: string;
}

const storedSchedules = settingMap<readonly Schedule[]>('worker_schedules');
const cron = /^\s*(?:[\w*,/#-]+\s+){4}[\w*,/#-]+\s*$/;

export function getSchedules(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  return ok({ schedules: storedSchedules.read(exchange.platform.registry().settings, name) ?? [] });
}

/**
 * Sets all schedules of a worker: `[{cron}]`. The sandbox only stores schedules, and never runs workers on schedule.
 */
export async function putSchedules(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const { platform } = exchange;
  const body = await readJson(exchange, 'the schedules');
  if (!Array.isArray(body)) throw invalid('must be a list of {"cron"}');
  const crons = body.map((entry: unknown) => {
    const text = isObject(entry) ? entry['cron'] : undefined;
    if (typeof text !== 'string' || !cron.test(text))
      throw invalid(`"${toText(text)}" must have five fields`);
    return text.trim();
  });
  const now = new Date(clockNow(platform)).toISOString();
  storedSchedules.change(platform.registry().settings, name, (before = []) => {
    const schedules = [...new Set(crons)].map(
      (text) => before.find((one) => one.cron === text) ?? { cron: text, created_on: now, modified_on: now },
    );
    return schedules.length === 0 ? undefined : schedules;
  });
  return getSchedules(exchange);
}

function invalid(why: string) {
  return refusal(400, workerCodes.cronInvalid, `invalid cron string: ${why}`);
}

/** Deletes the schedules of a deleted worker. */
export function dropSchedules({ platform }: Pick<Exchange, 'platform'>, name: string): void {
  storedSchedules.change(platform.registry().settings, name, () => undefined);
}
