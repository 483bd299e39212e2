import { setTimeout as pause } from 'node:timers/promises';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { waitForExit } from '../../support/kills.ts';
import { startAgain, startSandbox } from '../../support/program.ts';
import { createNamespace, mustRun, personAt } from '../../support/reliability/processes.ts';
import { s3ClientAt } from '../../support/reliability/s3-client.ts';
import { trial } from '../../support/reliability/trial.ts';

/** A client that repeatedly writes an increasing number under one name. */
interface Writer {
  /** Writes the number. Throws unless the sandbox confirms the write. */
  write(number: number): Promise<void>;
  read(): Promise<number>;
  /** The last number that was sent, and the last number that was confirmed. */
  tried: number;
  confirmed: number;
}

trial('server', async ({ chance, size, attempted, found, remark }) => {
  let sandbox = await startSandbox();
  const person = personAt(sandbox);
  let s3: S3Client = s3ClientAt(sandbox);
  try {
    const id = await createNamespace(person, 'SERVER');
    await mustRun(person, ['objstore', 'bucket', 'create', 'data']);
    const { accountId, zoneId } = sandbox.ready;
    const call = async (method: string, path: string, body?: string, type = 'application/json') => {
      const headers = { authorization: `Bearer ${sandbox.ready.apiToken}`, 'content-type': type };
      const answer = await fetch(`${sandbox.ready.apiBaseUrl}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text}`);
      return text;
    };
    const values = `/accounts/${accountId}/storage/kv/namespaces/${id}`;
    const records = `/zones/${zoneId}/dns_records`;
    const fresh = { tried: 0, confirmed: 0 };
    const writers: Writer[] = [
      {
        ...fresh,
        write: async (number) =>
          void (await call('PUT', `${values}/values/single`, `${number}`, 'text/plain')),
        read: async () => Number(await call('GET', `${values}/values/single`)),
      },
      {
        ...fresh,
        write: async (number) => {
          const entries = Array.from({ length: 50 }, (_, at) => ({ key: `many:${at}`, value: `${number}` }));
          await call('PUT', `${values}/bulk`, JSON.stringify(entries));
        },
        async read() {
          const keys = Array.from({ length: 50 }, (_, at) => `many:${at}`);
          const text = await call('POST', `${values}/bulk/get`, JSON.stringify({ keys }));
          const numbers = new Set(Object.values(JSON.parse(text).result.values as Record<string, string>));
          // A bulk write is one transaction.
          if (numbers.size !== 1) found(`a bulk write is incomplete: ${[...numbers].join(', ')}`);
          return Number([...numbers][0]);
        },
      },
      {
        ...fresh,
        write: async (number) => {
          const Body = Buffer.alloc(100_000, `${number} `);
          await s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'object', Body }));
        },
        async read() {
          const text = await call('GET', `/accounts/${accountId}/r2/buckets/data/objects/object`);
          const [number = ''] = text.split(' ');
          if (text !== Buffer.alloc(100_000, `${number} `).toString()) found('an object is incomplete');
          return Number(number);
        },
      },
      {
        ...fresh,
        write: async (number) =>
          void (await call(
            'POST',
            records,
            JSON.stringify({ type: 'TXT', name: `r${number}`, content: '"x"', ttl: 1 }),
          )),
        async read() {
          const text = await call('GET', `${records}?per_page=5000&type=TXT`);
          const names: string[] = JSON.parse(text).result.map(
            ({ name }: { name: string }) => name.split('.')[0],
          );
          if (new Set(names).size !== names.length) found('a DNS record appears twice');
          const numbers = names.filter((name) => /^r\d+$/.test(name)).map((name) => Number(name.slice(1)));
          return Math.max(...numbers);
        },
      },
    ];
    for (const writer of writers) await writer.write(0);
    let confirmedWrites = 0;
    for (let kill = 0; kill < size; kill += 1) {
      let isAlive = true;
      const writing = writers.map(async (writer) => {
        while (isAlive) {
          writer.tried += 1;
          try {
            await writer.write(writer.tried);
            writer.confirmed = writer.tried;
            confirmedWrites += 1;
          } catch {
            return;
          }
        }
      });
      await pause(50 + chance.next() * 500);
      sandbox.child.kill('SIGKILL');
      await waitForExit(sandbox.child);
      isAlive = false;
      await Promise.all(writing);
      sandbox = await startAgain(sandbox);
      s3.destroy();
      s3 = s3ClientAt(sandbox);
      for (const [at, writer] of writers.entries()) {
        const now = await writer.read();
        if (now !== writer.confirmed && now !== writer.tried)
          found(
            `writer ${at}: the stored number is ${now}; confirmed ${writer.confirmed}, tried ${writer.tried}`,
          );
        writer.confirmed = now;
      }
      attempted();
    }
    remark(`${confirmedWrites.toLocaleString('en')} confirmed writes of values, objects and DNS records`);
  } finally {
    s3.destroy();
    await sandbox.stop();
  }
});
