import { ok, refusedAll } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, type Route, readSeedJson, refusal } from '../http/exchange.ts';
import { formatShapeFault } from '../http/shape-faults.ts';

/** Routes that read and write the data of a sandbox as one document. The provider has no such routes. */
export const seedRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/seed', handle: readSeed },
  { method: 'PUT', pattern: '/sandbox/seed', handle: writeSeed },
];

/** Maximum number of bytes of a seed as JSON. */
const maxSeedBytes = 300 * 1024 * 1024;
/** Maximum number of faults in an answer. */
const maxFaults = 20;

async function readSeed(exchange: Exchange): Promise<Answer> {
  refuseLocal(exchange);
  const { saveSeed } = await import('./save.ts');
  return ok(await saveSeed(exchange.platform));
}

/** Fills the sandbox; with `replace=true`, replaces everything in it. Nothing is changed if anything is invalid. */
async function writeSeed(exchange: Exchange): Promise<Answer> {
  refuseLocal(exchange);
  const { platform, query } = exchange;
  const value = await readSeedJson(exchange, maxSeedBytes);
  const { applySeed } = await import('./load.ts');
  const outcome = await applySeed(platform, value, query.get('replace') === 'true', exchange.call.signal);
  if ('loaded' in outcome) return ok(outcome.loaded);
  const { faults } = outcome;
  const more = faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : [];
  const lines = [...faults.slice(0, maxFaults).map((fault) => formatShapeFault(fault, 'the seed')), ...more];
  return refusedAll(
    400,
    lines.map((message) => ({ code: codes.requestInvalid, message })),
  );
}

function refuseLocal({ platform }: Exchange): void {
  if (platform.kind === 'local')
    throw refusal(400, codes.namespaceUnsupported, 'local data has no account to fill');
}
