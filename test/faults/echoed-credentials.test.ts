import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asProblem } from '../../src/model/problem.ts';
import { listNamespaces } from '../../src/services/kv/namespaces.ts';
import { openSession } from '../../src/services/session/open-session.ts';
import { plainChoice } from '../../src/services/session/session.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';
import { testWorld } from '../support/world.ts';

const token = 'tOkEn-5f3b9c_0d1e2f/4a5+b6c7=d8';
const key = 'c2547eb745079dac9320b638f5e225cf483cc';
const id = 'a'.repeat(32);

type Echo = (response: ServerResponse, secret: string) => void;
let echo: Echo = () => undefined;
const server = createServer((request, response) => {
  request.resume().once('end', () => echo(response, getCredential(request)));
});

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function getCredential({ headers }: IncomingMessage): string {
  return String(headers['x-auth-key'] ?? headers.authorization?.replace('Bearer ', ''));
}

function personWith(credentials: Record<string, string>): Person {
  const { port } = server.address() as AddressInfo;
  return newPerson({
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_ACCOUNT_ID: id,
    EDGECTL_ZONE_ID: id,
    ...credentials,
  });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const refused = (message: string) => ({ success: false, errors: [{ code: 10001, message }], result: null });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const echoes: Readonly<Record<string, Echo>> = {
  'in an error': (response, secret) =>
    json(response, 403, refused(`Token ${secret} may not (${base64(`me:${secret}`)})`)),
  'in a page': (response, secret) => response.writeHead(502).end(`<h1>${'x'.repeat(80)} ${secret}</h1>`),
  'in a redirect': (response, secret) => {
    response.writeHead(302, { location: `https://else.where/?t=${encodeURIComponent(secret)}` }).end();
  },
  'in a request id': (response, secret) => {
    response.setHeader('cf-ray', secret);
    json(response, 400, refused('No.'));
  },
  'in a result': (response, secret) => {
    const one = { id: secret, title: secret, name: secret, hostname: secret, key: secret, status: secret };
    json(response, 200, { success: true, errors: [], result: [one], result_info: { total_pages: 1 } });
  },
  'in a wrong result': (response, secret) =>
    json(response, 200, { success: true, errors: [], result: secret }),
};

const commands = [
  'kv namespace list',
  'kv namespace create N',
  `kv key list --namespace-id ${id}`,
  `kv key get k --namespace-id ${id}`,
  `kv key put k v --namespace-id ${id}`,
  `kv namespace delete --namespace-id ${id} --yes`,
  'objstore bucket list',
  'objstore object list bucket',
  'secret list --name worker',
  'hostname list',
  'zone hold get',
  'whoami',
];

/** Returns all sequences of eight characters of the credential in each encoding. None of them may be shown. */
function pieces(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), base64(`me:${secret}`).slice(6, -4)];
  return forms.flatMap((form) => Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)));
}

test.each(Object.entries(echoes))(
  'does not show a credential that a server echoes in %s',
  async (where, given) => {
    echo = given;
    const people = [
      { secret: token, person: personWith({ EDGECTL_API_TOKEN: token }), flags: ' --debug --json' },
      {
        secret: key,
        person: personWith({ EDGECTL_API_EMAIL: 'me@example.com', EDGECTL_API_KEY: key }),
        flags: '',
      },
    ];
    for (const { secret, person, flags } of people) {
      for (const line of commands.map((command) => command + flags)) {
        // A value is data, and stays unchanged.
        if (where.endsWith('result') && line.startsWith('kv key get')) continue;
        const { out, err } = await runCommand(person, line.split(' '));
        const shown = pieces(secret).filter((piece) => (out + err).includes(piece));
        expect({ line, shown, said: shown.length > 0 ? out + err : '' }).toEqual({
          line,
          shown: [],
          said: '',
        });
      }
    }
  },
);

test('removes credentials from a failure when the failure is created, so the console and saved tasks contain none', async () => {
  const person = personWith({ EDGECTL_API_TOKEN: token });
  const notes: string[] = [];
  const session = await openSession(testWorld({ env: person.env }), plainChoice, {
    note: (message) => notes.push(message),
    debug: (message) => notes.push(message),
  });
  for (const [where, given] of Object.entries(echoes)) {
    if (where === 'in a result') continue;
    echo = given;
    const listed = listNamespaces(session).next();
    const { message, hint, remedy, requestId } = await listed.then(() => Promise.reject(where), asProblem);
    const said = [message, hint, JSON.stringify(remedy), requestId, ...notes].join(' ');
    expect({ where, shown: pieces(token).filter((piece) => said.includes(piece)) }).toEqual({
      where,
      shown: [],
    });
  }
  await session.close();
});

test('keeps a value that contains our own credential byte for byte', async () => {
  const listing = JSON.stringify({ success: true, errors: [], messages: [], result: [{ name: 'k' }] });
  echo = (response, secret) => response.end(response.req.url?.includes('/keys') ? listing : secret);
  const person = personWith({ EDGECTL_API_TOKEN: token });
  const get = ['kv', 'key', 'get', 'k', '--namespace-id', id];
  expect(await runCommand(person, get)).toMatchObject({ code: 0, out: token });
  expect(JSON.parse((await runCommand(person, [...get, '--json'])).out)).toMatchObject({
    key: 'k',
    value: token,
  });
  expect(await runCommand(person, ['objstore', 'object', 'get', 'bucket/k'])).toMatchObject({
    out: token,
  });
});
