// Compares the sandbox with a real account: npm run test:live -- [--record FILE] [--replay FILE] [--clean] --yes
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { startSandbox as StartSandbox } from '../../src/library/sandbox-types.ts';
import type { LiveAnswer, Place } from './answers.ts';
import { namePrefix } from './cases.ts';
import { checkPlace, compareWithSandbox, removeLeftovers } from './check.ts';
import type { LiveDifference } from './compare.ts';

const usage = `npm run test:live -- --yes makes some 90 calls to the account in CLOUDFLARE_ACCOUNT_ID with CLOUDFLARE_API_TOKEN, and to a
sandbox, and prints each difference between the answers. It creates a namespace, a bucket and a worker named ${namePrefix}-..., and
deletes them. With CLOUDFLARE_ZONE_ID it also creates a DNS record and a custom hostname there. Nothing costs money.

  --yes           required: the check writes to the account
  --record FILE   save the account's answers, without ids, names and times, for --replay
  --replay FILE   compare saved answers with the sandbox; needs no account
  --clean         only delete what a killed check has left
`;

const { values } = parseArgs({
  options: {
    yes: { type: 'boolean', default: false },
    record: { type: 'string' },
    replay: { type: 'string' },
    clean: { type: 'boolean', default: false },
  },
});

const { startSandbox } = (await import(resolve('dist/sandbox.cjs'))) as { startSandbox: typeof StartSandbox };

function placeInEnvironment(): Place {
  const {
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
    CLOUDFLARE_ZONE_ID: zoneId,
  } = process.env;
  const apiBaseUrl = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';
  if (!accountId || !apiToken)
    fail(`CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN must be set.\n\n${usage}`);
  return { apiBaseUrl, accountId: accountId ?? '', apiToken: apiToken ?? '', ...(zoneId && { zoneId }) };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function report(differences: readonly LiveDifference[], calls: number): void {
  for (const { does, at, sandbox, platform } of differences) {
    console.log(`${does}: ${at}\n  sandbox:  ${sandbox}\n  platform: ${platform}`);
  }
  console.log(`${calls} calls, ${differences.length} differences.`);
  if (differences.length > 0) process.exitCode = 7;
}

if (values.replay !== undefined) {
  if (!existsSync(values.replay)) fail(`${values.replay} does not exist.`);
  const answers: readonly LiveAnswer[] = JSON.parse(readFileSync(values.replay, 'utf8'));
  report(await compareWithSandbox(answers, () => startSandbox()), answers.length);
} else {
  const place = placeInEnvironment();
  if (!values.yes) fail(usage);
  if (values.clean) {
    const left = await removeLeftovers(place);
    console.log(left.length === 0 ? 'Nothing of a check is left.' : left.join('\n'));
  } else {
    // On Ctrl-C, deletes the resources that the check has created in the account.
    process.once('SIGINT', () => void removeLeftovers(place).then(() => process.exit(130)));
    const { answers, differences, left } = await checkPlace(place, () => startSandbox());
    if (values.record !== undefined) writeFileSync(values.record, `${JSON.stringify(answers, null, 1)}\n`);
    report(differences, answers.length);
    for (const one of left) process.stderr.write(`Not deleted: ${one}\n`);
  }
}
