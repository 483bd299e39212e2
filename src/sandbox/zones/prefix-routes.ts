import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { isObject } from '../../model/json-object.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { changeInternet } from '../hostnames/run.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, param, readJson, refusal } from '../http/exchange.ts';
import { readPrefixes, setPrefixes } from './prefixes.ts';

export function listPrefixes(exchange: Exchange): Answer {
  const account_id = param(exchange, 'account');
  const shapes = readPrefixes(exchange.platform).map((cidr) => ({
    id: createHash('sha256').update(cidr).digest('hex').slice(0, 32),
    account_id,
    cidr,
    approved: 'V',
    advertised: true,
    description: '',
  }));
  return ok(shapes);
}

/** Replaces the address ranges of the account: `{cidrs: ["198.18.0.0/24"]}`. */
export async function putPrefixes(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const body = await readJson(exchange, 'the prefixes');
  const cidrs = isObject(body) && Array.isArray(body['cidrs']) ? body['cidrs'].map(String) : undefined;
  const wrong =
    cidrs === undefined ? 'cidrs must be a list of strings' : cidrs.find((cidr) => !isRange(cidr));
  if (cidrs === undefined || wrong !== undefined)
    throw refusal(400, codes.requestInvalid, `invalid prefixes: ${wrong}`);
  await changeInternet(platform, () => setPrefixes(platform, cidrs));
  return ok({ cidrs });
}

function isRange(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return (
    rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
  );
}
