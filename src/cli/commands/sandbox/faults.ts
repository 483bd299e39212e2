import { Problem } from '../../../model/problem.ts';
import type { Fault, FaultRate, GivenFault } from '../../../model/sandbox/fault.ts';
import { addFault, clearFaults, listFaults, withServer } from '../../../services/sandbox/traffic.ts';
import { command, type Input } from '../../parsing/command.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import { formatCount } from '../objects/report.ts';
import { chosenDir } from './choice.ts';
import type * as declared from './traffic-declarations.ts';

export const faultAddCommand = command<typeof declared.faultAdd>({
  async run({ world, output }, { flags }) {
    const request = toFaultRequest(flags);
    const fault = await withServer(world, chosenDir(flags), output, (send) => addFault(send, request));
    await output.result(`Added fault ${formatFault(fault)}.`, fault);
  },
});

export const faultListCommand = command<typeof declared.faultList>({
  async run({ world, output }, { flags }) {
    const faults = await withServer(world, chosenDir(flags), output, listFaults);
    if (output.json) await output.answerJson(faults);
    else
      for (const fault of faults) {
        await output.line(`${formatFault(fault)} (affected ${formatCount(fault.met, 'request')})`);
      }
    if (faults.length === 0 && !output.json) output.note('No faults.');
  },
});

export const faultClearCommand = command<typeof declared.faultClear>({
  async run({ world, output }, { args, flags }) {
    const cleared = await withServer(world, chosenDir(flags), output, (send) => clearFaults(send, args.ID));
    await output.result(`Removed ${formatCount(cleared, 'fault')}.`, { cleared });
  },
});

type AddFlags = Input<typeof declared.faultAdd>['flags'];

/** Converts the flags to a fault; the sandbox refuses an invalid fault. */
function toFaultRequest(flags: AddFlags): GivenFault {
  if (flags.match === undefined) {
    throw new Problem('usage', '--match is required.', { hint: "To match all requests: --match '/**'" });
  }
  return {
    match: flags.match,
    status: checkStatus(flags.status),
    retryAfter: flags['retry-after'],
    latency: flags.latency,
    jitter: flags.jitter,
    cut: parseOneOf('--cut', flags.cut, ['before', 'in', 'after'] as const),
    body: parseOneOf('--body', flags.body, ['truncated', 'wrong', 'empty', 'html'] as const),
    unsuccessfulKeys: parseShare('--unsuccessful-keys', flags['unsuccessful-keys']),
    stale: flags.stale,
    pageSize: flags['page-size'],
    rate: parseRate(flags.rate),
    share: parseShare('--share', flags.share),
    times: flags.times,
    seed: flags.seed,
  };
}

function checkStatus(status: number | undefined): number | undefined {
  if (status === undefined || (status >= 200 && status <= 599)) return status;
  throw new Problem('usage', `--status must be an HTTP status from 200 to 599, not ${status}.`);
}

function parseShare(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new Problem('usage', `${flag} must be a number from 0 to 1, not "${text}".`);
}

function parseRate(text: string | undefined): FaultRate | undefined {
  if (text === undefined) return undefined;
  const [, requests, seconds, path] = /^(\d+)\/(\d+)(:path)?$/.exec(text) ?? [];
  if (requests === undefined) {
    throw new Problem('usage', `--rate must be REQUESTS/SECONDS, not "${text}".`, {
      hint: 'For example: 1200/300 or 1/1:path.',
    });
  }
  return { requests: Number(requests), seconds: Number(seconds), per: path === undefined ? 'token' : 'path' };
}

/** Formats a fault on one line: its id, match and effects. */
function formatFault({ id, match, met: _, ...effects }: Fault): string {
  const does = Object.entries(effects).map(([name, value]) => `${name} ${formatEffect(value)}`);
  return [id, match, does.join(', ')].join('  ');
}

function formatEffect(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { requests, seconds, per } = value as FaultRate;
  return `${requests} in ${seconds} s per ${per}`;
}
