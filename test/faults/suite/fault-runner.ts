import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../../src/sandbox/http/app.ts';
import { takeLease } from '../../../src/store/lease.ts';
import { type Method, readBody } from '../../../src/v4/send.ts';
import type { Passing, ProxyAnswer } from '../../support/proxy.ts';
import { newPerson, type Ran, runCommand } from '../../support/run-command.ts';
import type { CommandLine } from './command-lines.ts';
import { type Misbehave, openFaultyServer, placeOf } from './faulty-server.ts';
import { type Clock, openStage, type Stage } from './stage.ts';

/** The requests and the result of a command without faults. */
export interface Recording {
  readonly ran: Ran;
  readonly exchanges: readonly { readonly passing: Passing; readonly right: ProxyAnswer }[];
}

/** A fault, which occurs at one request (method and path) or at every request. */
export interface Plot {
  readonly misbehave: Misbehave;
  readonly place?: string | undefined;
  /** Milliseconds of real time before the command is interrupted. */
  readonly deadline?: number | undefined;
}

/** Milliseconds of real time before a command is interrupted; no command of the suite should take this long. */
const usualDeadline = 60_000;

/** The result of a command with the faulty server. */
export interface FaultyRun {
  readonly ran: Ran;
  readonly requests: readonly Passing[];
  /** Milliseconds of real time. */
  readonly milliseconds: number;
  /** The working directory. */
  readonly cwd: string;
}

/** Runs commands on the stage, through a faulty server. */
export interface FaultRunner {
  readonly stage: Stage;
  readonly apiBaseUrl: string;
  /** Runs a command line with the sandbox itself. The result is cached. */
  record(line: CommandLine): Promise<Recording>;
  /** Runs a command line with the recorded answers and a fault. `flags` are appended to the line. */
  perform(line: CommandLine, plot: Plot, flags?: readonly string[]): Promise<FaultyRun>;
  /** Returns true if a command is waiting for the server. */
  isHeld(): boolean;
  /** Advances the clock of the running command by milliseconds. */
  elapse(milliseconds: number): void;
  close(): Promise<void>;
}

export async function openFaultRunner(): Promise<FaultRunner> {
  const stage = await openStage();
  const server = await openFaultyServer();
  const { port, apiBaseUrl } = server;
  // The faulty server has the stage's token, so `sandbox clock`, `dns` and `reset` find the server.
  const token = stage.access.apiToken;
  const lease = takeLease(stage.servedFolder, {
    pid: process.pid,
    port,
    startedAt: stage.now,
    token,
    apiBaseUrl,
  });
  // Answers requests that were not recorded: a command may send additional requests after a wrong answer.
  const behind = stage.openCopy({ now: stage.now });
  let running: Clock = { now: stage.now };
  const recordings = new Map<CommandLine, Promise<Recording>>();

  const run = async (
    line: CommandLine,
    clock: Clock,
    {
      flags = [],
      deadline = usualDeadline,
    }: { flags?: readonly string[]; deadline?: number | undefined } = {},
  ): Promise<FaultyRun> => {
    const person = newPerson({
      EDGECTL_API_BASE_URL: apiBaseUrl,
      EDGECTL_API_TOKEN: token,
      EDGECTL_ACCOUNT_ID: stage.access.accountId,
      EDGECTL_ZONE_ID: stage.zoneId,
    });
    writeFiles(person.cwd, line.files ?? {});
    const rest = typeof line.rest === 'function' ? line.rest(stage) : line.rest;
    running = clock;
    const interruption = new AbortController();
    if (line.interrupted) interruption.abort();
    const timer = setTimeout(() => interruption.abort(), deadline);
    const begun = performance.now();
    const ran = await runCommand(person, [...line.words.split(' '), ...rest, ...flags], {
      clock,
      ...(line.stdin !== undefined && { stdin: line.stdin }),
      interrupted: interruption.signal,
    });
    clearTimeout(timer);
    const milliseconds = performance.now() - begun;
    return { ran, requests: [...server.passed], milliseconds, cwd: person.cwd };
  };
  let untouched: Copy | undefined;
  const recordNow = async (line: CommandLine): Promise<Recording> => {
    const copy = untouched ?? openCopy(stage);
    untouched = undefined;
    const { sandbox, clock } = copy;
    const exchanges: { passing: Passing; right: ProxyAnswer }[] = [];
    server.conduct({
      async rightAnswer(passing) {
        const right = await createAnswer(sandbox, passing);
        exchanges.push({ passing, right });
        return right;
      },
    });
    const { ran } = await run(line, clock);
    if (clock.now === stage.now && exchanges.every(({ passing }) => passing.method === 'GET'))
      untouched = copy;
    else sandbox.close();
    return { ran, exchanges };
  };
  const record = (line: CommandLine): Promise<Recording> => {
    const recorded = recordings.get(line) ?? recordNow(line);
    recordings.set(line, recorded);
    return recorded;
  };
  return {
    stage,
    apiBaseUrl,
    record,
    async perform(line, plot, flags) {
      const { exchanges } = await record(line);
      server.conduct({ rightAnswer: replaying(exchanges, behind), ...plot });
      return run(line, { now: stage.now }, { ...(flags && { flags }), deadline: plot.deadline });
    },
    isHeld: () => server.held() > 0,
    elapse(milliseconds) {
      running.now += milliseconds;
    },
    async close() {
      lease.release();
      untouched?.sandbox.close();
      behind.close();
      await server.close();
    },
  };
}

/** A sandbox on a copy of the stage's folder. After a command that only reads, the copy is reused. */
interface Copy {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
}

function openCopy(stage: Stage): Copy {
  const clock = { now: stage.now };
  return { sandbox: stage.openCopy(clock), clock };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

async function createAnswer(
  sandbox: Sandbox,
  { method, path, headers, body }: Passing,
): Promise<ProxyAnswer> {
  const answer = await sandbox.send({
    method: method as Method,
    path: path.replace(/^\/client\/v4/, ''),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body.length === 0 ? undefined : body,
    repeatable: false,
  });
  return { ...answer, body: Buffer.from(await readBody(answer.body)) };
}

/**
 * Replays the recorded answers, repeating the last answer to each request. Other reads are answered from the stage, and other writes fail
 * as unknown.
 */
function replaying(
  exchanges: Recording['exchanges'],
  behind: Sandbox,
): (passing: Passing) => ProxyAnswer | Promise<ProxyAnswer> {
  const times = new Map<string, number>();
  return (passing) => {
    const name = `${passing.method} ${passing.path}`;
    const asked = times.get(name) ?? 0;
    times.set(name, asked + 1);
    const equal = exchanges.filter(({ passing: { method, path } }) => `${method} ${path}` === name);
    const near = exchanges.filter((one) => placeOf(one.passing) === placeOf(passing));
    const recorded = equal[asked] ?? equal.at(-1) ?? near.at(-1);
    if (recorded !== undefined) return recorded.right;
    return passing.method === 'GET' ? createAnswer(behind, passing) : nothingThere;
  };
}

const nothingThere: ProxyAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    success: false,
    errors: [{ code: 7000, message: 'No route for that URI' }],
    messages: [],
    result: null,
  }),
};
