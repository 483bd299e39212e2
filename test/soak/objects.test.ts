import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peakMemory, startMeasured } from '../support/measured-program.ts';
import { type ServedSandbox, startSandbox, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const size = 300 * 1024 * 1024;
const mostMegabytes = 150;

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

describe('an object of 300 MiB', () => {
  const cwd = scratchFolder('soak');
  let served: ServedSandbox;
  let md5: string;
  beforeAll(async () => {
    served = await startSandbox();
    await pipeline(
      async function* bytes() {
        for (let left = size; left > 0; left -= 1024 * 1024) yield randomBytes(1024 * 1024);
      },
      createWriteStream(join(cwd, 'big.bin')),
    );
    md5 = await md5Of(join(cwd, 'big.bin'));
    expect(
      (await startMeasured(cwd, environment(), ['objstore', 'bucket', 'create', 'assets']).ended).code,
    ).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await served.stop();
    for (const folder of [cwd, served.folder]) rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    ...userEnvironment(cwd),
    EDGECTL_API_BASE_URL: served.ready.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: served.ready.accountId,
    EDGECTL_API_TOKEN: served.ready.apiToken,
  });

  async function expectSmall(argv: string[], files?: { in?: string; out?: string }): Promise<void> {
    const ran = await startMeasured(cwd, environment(), ['objstore', 'object', ...argv], files).ended;
    console.log(`${argv[0]} ${argv.slice(1).join(' ')}: peak ${Math.round(ran.peak)} MB`);
    expect(ran, ran.said).toMatchObject({ code: 0 });
    expect(ran.peak).toBeGreaterThan(20);
    expect(ran.peak).toBeLessThan(mostMegabytes);
  }

  test.each([
    ['in this process', ['--local']],
    ['on a served sandbox', []],
  ])('is uploaded, downloaded, copied and piped with little memory, %s', async (_, place) => {
    await expectSmall(['put', 'assets/big', '--path', 'big.bin', ...place]);
    await expectSmall(['get', 'assets/big', '--file', 'out.bin', '--force', ...place]);
    expect(await md5Of(join(cwd, 'out.bin'))).toBe(md5);
    await expectSmall(['copy', 'assets/big', 'assets/copy', ...place]);
    await expectSmall(['get', 'assets/copy', ...place], { out: join(cwd, 'piped.bin') });
    expect(await md5Of(join(cwd, 'piped.bin'))).toBe(md5);
    await expectSmall(['put', 'assets/stdin', '--path', '-', ...place], { in: join(cwd, 'big.bin') });
    await expectSmall(['delete', 'assets', '--recursive', '--yes', ...place]);
    expect(statSync(join(cwd, 'out.bin')).size).toBe(size);
  });

  test('keeps the memory of the sandbox server small', () => {
    expect(peakMemory(served.ready.pid)).toBeLessThan(mostMegabytes);
  });
});
