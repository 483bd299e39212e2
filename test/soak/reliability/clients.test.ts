import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { peakMemory } from '../../support/measured-program.ts';
import { startSandbox } from '../../support/program.ts';
import { createNamespace, personAt } from '../../support/reliability/processes.ts';
import { s3ClientAt } from '../../support/reliability/s3-client.ts';
import { trial } from '../../support/reliability/trial.ts';

/** Maximum memory of the sandbox in MB. */
const limit = 300;

/** Requests that never end: a request line, headers, an incomplete body, incomplete chunks. */
const beginnings = (token: string, path: string) => [
  'GE',
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nX-A: ${'a'.repeat(4000)}`,
  `PUT ${path}/values/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 20000000\r\n\r\n${'x'.repeat(10_000)}`,
  `PUT ${path}/values/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc`,
  `PUT ${path}/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9999\r\n\r\n[{"key":"slow","value":"`,
];

trial('clients', async ({ chance, size, attempted, found, remark }) => {
  const sandbox = await startSandbox();
  const { apiBaseUrl, apiToken, accountId, s3Endpoint } = sandbox.ready;
  const person = personAt(sandbox);
  const slow: Socket[] = [];
  try {
    const id = await createNamespace(person, 'CLIENTS');
    const { port, pathname } = new URL(apiBaseUrl);
    const path = `/accounts/${accountId}/storage/kv/namespaces/${id}`;
    const ports = [Number(port), Number(port), Number(port), Number(new URL(s3Endpoint).port)];
    for (let at = 0; at < size * 2.5; at += 1) {
      const socket = connect(chance.pick(ports), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(chance.pick(beginnings(apiToken, `${pathname}${path}`)));
      slow.push(socket);
    }
    // Each connection sends a byte occasionally, as in a Slowloris attack.
    const dripping = setInterval(() => {
      for (const socket of slow) if (socket.writable && chance.isLikely(0.2)) socket.write('a');
    }, 250);
    const headers = { authorization: `Bearer ${apiToken}` };
    const slowest: number[] = [];
    const client = async (number: number): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        const value = `${number} of ${round} ${'x'.repeat(chance.below(20_000))}`;
        const url = `${apiBaseUrl}${path}/values/client-${number}`;
        const began = performance.now();
        const put = await fetch(url, { method: 'PUT', headers, body: value });
        const body = await put.text();
        if (put.status !== 200) found(`client ${number}: ${put.status} ${body.slice(0, 200)}`);
        const got = await fetch(url, { headers });
        if ((await got.text()) !== value) found(`client ${number} read another value`);
        slowest.push(performance.now() - began);
        attempted(2);
        await pause(chance.below(20));
      }
    };
    await Promise.all(Array.from({ length: size }, (_, number) => client(number)));
    const s3 = s3ClientAt(sandbox);
    await s3.send(new ListBucketsCommand({}));
    s3.destroy();
    clearInterval(dripping);
    const listed = await fetch(`${apiBaseUrl}${path}/keys?limit=1000`, { headers });
    const names = (JSON.parse(await listed.text()).result as { name: string }[]).map(({ name }) => name);
    if (names.includes('slow')) found('a request that never ended was carried out');
    if (names.length !== size) found(`${names.length} keys of ${size} clients`);
    const peak = Math.round(peakMemory(sandbox.child.pid));
    if (peak > limit) found(`the sandbox took ${peak} MB`);
    const open = slow.filter(({ destroyed }) => !destroyed).length;
    const worst = (Math.max(...slowest) / 1000).toFixed(1);
    remark(
      `${size} clients and ${slow.length} unfinished requests (${open} still open at the end); ` +
        `slowest write and read ${worst} s; sandbox at most ${peak} MB (limit ${limit})`,
    );
  } finally {
    for (const socket of slow) socket.destroy();
    await sandbox.stop();
  }
});
