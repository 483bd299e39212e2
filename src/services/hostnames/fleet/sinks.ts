import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { tlsReason } from '../../../files/system-reason.ts';
import type { FleetEvent } from '../../../model/hostnames/fleet/events.ts';
import { isLoopback, isOwnMachine } from '../../../model/loopback.ts';
import { Problem } from '../../../model/problem.ts';
import { withoutCredentials } from '../../../profiles/credential-variables.ts';
import type { World } from '../../../world.ts';

/** A receiver of events. `deliver` throws a Problem if the delivery fails; the caller retries. */
export interface EventSink {
  /** The identity of the receiver; for a webhook, without the query string of the URL, which may contain secrets. */
  readonly name: readonly string[];
  deliver(event: FleetEvent): Promise<void>;
}

/** Maximum time for a program or a server to handle one event, in milliseconds. */
const usualPatience = 30_000;

/**
 * Runs a program for each event, without a shell. The program receives the event as JSON on its standard input, and in environment
 * variables (`EDGECTL_EVENT_HOSTNAME` …), but does not receive edgectl's credentials. An exit code other than 0 is a failure.
 */
export function programSink(world: World, words: readonly string[], timeoutMs = usualPatience): EventSink {
  const [program = '', ...args] = words;
  return {
    name: ['exec', ...words],
    deliver: (event) =>
      new Promise((settle, fail) => {
        const env = { ...withoutCredentials(world.env), ...toVariables(event) };
        const child = spawn(program, args, {
          cwd: world.cwd,
          env,
          stdio: ['pipe', 'ignore', 'pipe'],
          timeout: timeoutMs,
          // A program could ignore any other signal, and the watch would then wait forever.
          killSignal: 'SIGKILL',
        });
        const said = readFirstLine(child);
        // A program that does not read its input is not a failure.
        child.stdin?.on('error', () => undefined);
        child.once('error', (error) =>
          fail(new Problem('system', `Cannot run ${program}: ${error.message}.`)),
        );
        // Limits the wait, because a child process of this program may keep standard error open forever.
        child.once('exit', (code) => {
          setTimeout(() => child.stderr?.destroy(), code === 0 ? 0 : outputTimeoutMs).unref();
        });
        child.once('close', (code, signal) => {
          if (code === 0) settle();
          else fail(new Problem('system', `${program} exited with ${signal ?? code}${said()}.`));
        });
        child.stdin?.end(`${JSON.stringify(event)}\n`);
      }),
  };
}

/** Maximum time to read the remaining output of a program after its exit, in milliseconds. */
const outputTimeoutMs = 1000;

/** Returns a function that returns ": " and the first line that the program has written to standard error, or an empty string. */
function readFirstLine(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, 500);
  });
  return () => (said.trim() === '' ? '' : `: ${said.trim().split('\n')[0]}`);
}

function toVariables({ id, type, zoneId, hostname, hostnameId, after, before }: FleetEvent) {
  const { status = '', certificate = '', kind = '', who = '' } = after ?? before ?? {};
  const named = { ID: id, TYPE: type, ZONE_ID: zoneId, HOSTNAME: hostname, HOSTNAME_ID: hostnameId };
  const all = { ...named, STATUS: status, CERTIFICATE: certificate, KIND: kind, WHO: who };
  // Removes NUL characters, which environment variables cannot contain.
  const entries = Object.entries(all).map(([name, value]) => [
    `EDGECTL_EVENT_${name}`,
    value.replaceAll('\0', ''),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Sends each event to a URL in a signed POST request: `Edgectl-Signature` is `sha256=` and the HMAC-SHA256 of `<Edgectl-Timestamp>.<body>` in
 * hex. Every status except 2xx is a failure; redirects are not followed. Refuses plain HTTP to another machine.
 */
export function webhookSink(
  world: Pick<World, 'env' | 'now' | 'interrupted'>,
  url: string,
  secret: string,
  timeoutMs = usualPatience,
): EventSink {
  const place = parseUrl(url);
  const agents = agentsFor(place, world.env);
  return {
    name: ['webhook', place.origin + place.pathname],
    async deliver(event) {
      const body = JSON.stringify(event);
      const timestamp = String(Math.floor(world.now() / 1000));
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'edgectl',
        'edgectl-event': event.id,
        'edgectl-timestamp': timestamp,
        'edgectl-signature': `sha256=${signature}`,
      };
      const status = await post(place, agents, { headers, body, signal: world.interrupted, timeoutMs });
      if (status < 200 || status > 299)
        throw new Problem('refused', `${place.host} responded to the event with HTTP ${status}.`);
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Problem('usage', 'A webhook must be a URL, such as https://hooks.example.com/edgectl.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Problem('usage', 'A webhook URL must use HTTPS, except on this machine.');
  return url;
}

type Agents = ReturnType<typeof agentsFor>;

function agentsFor({ hostname }: URL, env: World['env']) {
  const options = { keepAlive: true, ...(isOwnMachine(hostname) ? {} : { proxyEnv: env }) };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Maximum time to wait for the response, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends a POST request, and returns the HTTP status. Waits for the end of the response, but no longer than the timeout. */
function post(url: URL, agents: Agents, { headers, body, signal, timeoutMs }: Delivery): Promise<number> {
  const isPlain = url.protocol === 'http:';
  const options = { method: 'POST', headers, signal };
  return new Promise((settle, fail) => {
    const failAs = (reason: string): void =>
      fail(new Problem('unreachable', `Cannot reach ${url.host}: ${reason}.`));
    const sent = isPlain
      ? httpRequest(url, { ...options, agent: agents.http })
      : httpsRequest(url, { ...options, agent: agents.https });
    let answer: IncomingMessage | undefined;
    // An idle timeout would not limit a response that arrives byte by byte. Only the status matters, so a partial response is sufficient.
    setTimeout(
      () => sent.destroy(answer === undefined ? new Error('no response in time') : undefined),
      timeoutMs,
    ).unref();
    // A connection that breaks while it is being closed emits a second error, which must be handled.
    sent.on('error', (error) =>
      signal.aborted ? fail(error) : failAs(tlsReason(error.message) ?? error.message),
    );
    sent.once('response', (given) => {
      answer = given;
      given.once('close', () => settle(given.statusCode ?? 0)).resume();
    });
    // When a server switches to another protocol, Node closes the connection without an error.
    sent.once('close', () => {
      if (answer === undefined) failAs('the server closed the connection without a response');
    });
    sent.end(body);
  });
}
