import { Problem } from '../../../model/problem.ts';
import {
  filterFault,
  formatRequestPath,
  type LogFilter,
  type LoggedRequest,
} from '../../../model/sandbox/logged-request.ts';
import { version } from '../../../model/version.ts';
import {
  clearRequests,
  followRequests,
  listRequests,
  withServer,
} from '../../../services/sandbox/traffic.ts';
import { type Context, command, type Input } from '../../parsing/command.ts';
import { chosenDir } from './choice.ts';
import type * as declared from './traffic-declarations.ts';

export const requestsCommand = command<typeof declared.sandboxRequests>({
  async run(context, { flags }) {
    const { world, output } = context;
    const wrong =
      flags.har && (flags.follow || output.json) ? (flags.follow ? '--follow' : '--json') : undefined;
    if (wrong !== undefined) throw new Problem('usage', `--har and ${wrong} cannot be used together.`);
    const filter = toLogFilter(flags);
    const unfit = filterFault(filter);
    if (unfit !== undefined) throw new Problem('usage', `--${unfit}.`);
    return withServer(world, chosenDir(flags), output, async (send) => {
      if (flags.follow) {
        for await (const request of followRequests(send, filter, world, world.interrupted)) {
          await answer(context, request);
        }
      } else {
        const requests = await listRequests(send, filter);
        if (flags.har) await answerHar(context, requests);
        else for (const request of requests) await answer(context, request);
        if (requests.length === 0) output.note('No requests.');
      }
      if (flags.clear) await clearRequests(send);
      return 0;
    });
  },
});

function toLogFilter({
  method,
  path,
  status,
  limit,
}: Input<typeof declared.sandboxRequests>['flags']): LogFilter {
  return {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(path !== undefined && { path }),
    ...(status !== undefined && { status }),
    ...(limit !== undefined && { limit }),
  };
}

/** Prints a request on one line: the whole request as JSON with `--json`, otherwise the most important fields. */
async function answer({ output }: Context, request: LoggedRequest): Promise<void> {
  if (output.json) return output.answerJsonLine(request);
  const { time, method, query, status, rule, notes, milliseconds } = request;
  const path = formatRequestPath(request);
  const asked = query === '' ? path : `${path}?${query}`;
  const remarks = [...(rule === null ? [] : [rule]), ...notes].map((words) => `  (${words})`).join('');
  await output.line(
    `${time.slice(11, 23)}  ${status ?? 'cut'}  ${method.padEnd(6)} ${asked}  ${milliseconds} ms${remarks}`,
  );
}

/** Prints an HTTP Archive 1.2, which browsers' network panels can open. */
async function answerHar({ output }: Context, requests: readonly LoggedRequest[]): Promise<void> {
  const log = { version: '1.2', creator: { name: 'edgectl', version }, entries: requests.map(harEntry) };
  await output.answerJson({ log });
}

function harEntry(request: LoggedRequest) {
  const { requestBody, answerBody } = request;
  const type = (headers: Readonly<Record<string, string>>) => headers['content-type'] ?? '';
  const base = request.api === 's3' ? '' : '/client/v4';
  const address = `http://${request.requestHeaders['host'] ?? 'localhost'}${base}${request.path}`;
  return {
    startedDateTime: request.time,
    time: request.milliseconds,
    request: {
      method: request.method,
      url: request.query === '' ? address : `${address}?${request.query}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(request.requestHeaders),
      queryString: [...new URLSearchParams(request.query)].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: requestBody === undefined ? -1 : Buffer.byteLength(requestBody),
      ...(requestBody !== undefined && {
        postData: { mimeType: type(request.requestHeaders), text: requestBody },
      }),
    },
    response: {
      status: request.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(request.answerHeaders),
      content: {
        size: answerBody === undefined ? -1 : Buffer.byteLength(answerBody),
        mimeType: type(request.answerHeaders),
        ...(answerBody !== undefined && { text: answerBody }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...(request.rule !== null && { comment: request.rule }),
    },
    cache: {},
    timings: { send: 0, wait: request.milliseconds, receive: 0 },
  };
}

function harHeaders(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
