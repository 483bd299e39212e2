import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Passing, ProxyAnswer } from '../../../support/proxy.ts';
import { type Fault, instead, isEnvelope, json, type Kind, rewritten } from '../fault.ts';
import type { Misbehave } from '../faulty-server.ts';

const mebi = 1024 * 1024;
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** Returns true if a command may succeed: values may be long, and values that are too large for one answer are read one by one. */
function mayPass(right: ProxyAnswer, asked: readonly Passing[]): boolean {
  return !isEnvelope(right) || asked.some(({ path }) => path.endsWith('/bulk/get'));
}

/** Creates a fault that generates the body while the client reads it, up to `maximum` bytes. */
function pouring(
  name: string,
  maximum: number,
  headers: Readonly<Record<string, string | number>> = {},
): Fault {
  const begin =
    (): Misbehave =>
    ({ response }) => {
      response.writeHead(200, { ...json, ...headers });
      const block = Buffer.alloc(mebi, ' ');
      let written = 0;
      const pour = (): void => {
        while (!response.destroyed && written < maximum) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', pour);
        }
        response.end();
      };
      pour();
    };
  return { name, begin, mayPass };
}

/** Creates a fault with a small body: compressed spaces that expand beyond the maximum size of an answer. */
function bomb(name: string, encoding: string, pack: () => Buffer): Fault {
  const packed = once(pack);
  const begin =
    (): Misbehave =>
    ({ response }) => {
      const body = packed();
      response.writeHead(200, { ...json, 'content-encoding': encoding, 'content-length': body.length });
      response.end(body);
    };
  return { name, begin, mayPass };
}

/** The fastest compression level also compresses spaces well, and takes a fifth of the time. */
const fast = { level: 1 };
const blanks = once(() => Buffer.alloc(64 * mebi, ' '));
/** Data that is 1.5 times as long as the maximum size of an answer. */
const tooMany = once(() => Buffer.concat([blanks(), blanks().subarray(32 * mebi)]));
/** A gzip file may consist of several members, one after another. */
const gzipped = once(() => {
  const part = gzipSync(blanks(), fast);
  return Buffer.concat(Array.from({ length: 4 }, () => part));
});
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Answers that exceed every limit. edgectl rejects each answer at the maximum size, and uses no more memory than this size. */
export const sizeKinds: readonly Kind[] = [
  {
    name: 'an answer over the limit',
    faults: [
      bomb('a gzip bomb', 'gzip', gzipped),
      bomb('a gzip bomb in gzip', 'gzip, gzip', () => gzipSync(gzipped(), fast)),
      bomb('a brotli bomb', 'br', () => brotliCompressSync(tooMany(), quick)),
      bomb('a deflate bomb', 'deflate', () => deflateSync(tooMany(), fast)),
      pouring('an endless body', 600 * mebi),
      pouring('a long body with its length', 600 * mebi, { 'content-length': 600 * mebi }),
    ],
  },
];

const deep = (open: string, close: string, depth = 100_000): string =>
  open.repeat(depth) + close.repeat(depth);
const success = (result: string): string => `{"success":true,"errors":[],"messages":[],"result":${result}}`;
const refused = (errors: string): string =>
  `{"success":false,"messages":[],"result":null,"errors":${errors}}`;

/** Returns a copy of the fault that allows a command to succeed: the answer confirms success, and not every command needs the result. */
function confirmed(fault: Fault): Fault {
  return { ...fault, mayPass: () => true };
}

/** Answers within the limits, with content that is hard to parse. */
export const shapeKinds: readonly Kind[] = [
  {
    name: 'deep nesting',
    faults: [
      confirmed(instead('arrays 100,000 deep', 200, success(deep('[', ']')))),
      confirmed(instead('objects 100,000 deep', 200, success(deep('{"a":', '}').replace(':}', ':1}')))),
      instead('arrays 100,000 deep and no envelope', 200, deep('[', ']')),
      instead(
        'an error_chain 50,000 deep',
        400,
        refused(`[${'{"code":1,"message":"x","error_chain":['.repeat(50_000)}${']}'.repeat(50_000)}]`),
      ),
      rewritten(
        'a field 5,000 deep',
        (envelope) => ({
          ...envelope,
          result: [JSON.parse(deep('{"a":', '}', 5000).replace(':}', ':1}'))],
        }),
        { mayPass: () => true },
      ),
    ],
  },
  {
    name: 'a long refusal',
    faults: [
      instead('a message of 500 kB', 400, refused(`[{"code":1,"message":"${'long '.repeat(100_000)}"}]`)),
      instead('5,000 errors', 400, refused(`[${Array(5_000).fill('{"code":1,"message":"x"}').join()}]`)),
      instead('500 kB of HTML', 502, '<p>long'.repeat(70_000), { 'content-type': 'text/html' }),
    ],
  },
];
