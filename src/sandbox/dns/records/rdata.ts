import { isIPv4, isIPv6 } from 'node:net';
import { splitWords, wordBytes } from '../../../model/dns/strings.ts';
import { locationBytes } from './location.ts';
import { layouts, parseData } from './presentation.ts';

/** Numbers of the record types that the sandbox encodes itself (IANA, DNS parameters). */
export const typeNumbers: Readonly<Record<string, number>> = {
  PTR: 12,
  MX: 15,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  CERT: 37,
  DS: 43,
  SSHFP: 44,
  DNSKEY: 48,
  TLSA: 52,
  SMIMEA: 53,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  URI: 256,
};

/** Encodes a record's content; undefined if the content does not match the type. Throws if a part cannot be encoded. */
export function encodeRdata(type: string, content: string, priority = 0): Buffer | undefined {
  if (type === 'PTR') return nameBytes(content);
  if (type === 'MX') return Buffer.concat([number(priority, 2), nameBytes(content)]);
  if (type === 'OPENPGPKEY') return Buffer.from(content.replace(/\s/g, ''), 'base64');
  const data = parseData(type, content);
  if (data === undefined) return undefined;
  if (type === 'LOC') return locationBytes(data);
  const parts = (layouts[type] ?? []).map(([field, part]) => {
    const value = data[field];
    const text = String(value ?? '');
    switch (part) {
      case 'u8':
        return number(Number(value), 1);
      case 'u16':
        return number(Number(value), 2);
      case 'name':
        return nameBytes(text);
      case 'hex':
        return Buffer.from(text, 'hex');
      case 'base64':
        return Buffer.from(text, 'base64');
      case 'tag':
      case 'string':
        return counted(Buffer.from(text), 1);
      case 'quoted':
        return Buffer.from(text);
      case 'rest':
        return serviceParameters(text);
    }
    throw new Error(`Unknown part ${part}.`);
  });
  return Buffer.concat(parts);
}

function number(value: number, bytes: 1 | 2): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function counted(bytes: Buffer, size: 1 | 2): Buffer {
  return Buffer.concat([number(bytes.length, size), bytes]);
}

function nameBytes(text: string): Buffer {
  const labels = text
    .replace(/\.$/, '')
    .split('.')
    .filter((label) => label !== '');
  return Buffer.concat([...labels.map((label) => counted(Buffer.from(label), 1)), Buffer.alloc(1)]);
}

const parameterNames = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint'];

/** Encodes parameters such as `alpn="h3,h2" port=443`, in the order of their numbers (RFC 9460, 2.2). */
function serviceParameters(text: string): Buffer {
  const found = (splitWords(text) ?? []).flatMap((word) => {
    const [, name = '', given = ''] = /^([^=]*)=?(.*)$/s.exec(word) ?? [];
    const key = parameterKey(name.toLowerCase());
    return key === undefined ? [] : [{ key, value: parameterValue(key, wordBytes(given)) }];
  });
  found.sort((left, right) => left.key - right.key);
  return Buffer.concat(found.map(({ key, value }) => Buffer.concat([number(key, 2), counted(value, 2)])));
}

function parameterKey(name: string): number | undefined {
  const known = parameterNames.indexOf(name);
  if (known !== -1) return known;
  const own = Number(/^key(\d{1,5})$/.exec(name)?.[1]);
  return own <= 65_535 ? own : undefined;
}

function parameterValue(key: number, bytes: Buffer): Buffer {
  const text = bytes.toString('utf8');
  const list = text === '' ? [] : text.split(',');
  switch (parameterNames[key]) {
    case 'mandatory':
      return Buffer.concat(list.map((name) => number(parameterKey(name) ?? 0, 2)));
    case 'alpn':
      return Buffer.concat(list.map((protocol) => counted(Buffer.from(protocol), 1)));
    case 'port':
      return number(Number(text) & 0xffff, 2);
    case 'ipv4hint':
      return Buffer.from(
        list.flatMap((address) => requireHint(address, isIPv4(address)).split('.').map(Number)),
      );
    case 'ipv6hint':
      return Buffer.concat(
        list.map((address) =>
          addressBytes(requireHint(address, isIPv6(address) && /^[\da-f:]+$/i.test(address))),
        ),
      );
    case 'ech':
      return Buffer.from(text, 'base64');
    default:
      return bytes;
  }
}

function requireHint(address: string, isOne: boolean): string {
  if (isOne) return address;
  throw new RangeError(`"${address}" is not a valid address for a hint`);
}

/** Encodes an IPv6 address in 16 bytes. */
function addressBytes(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  const middle = after === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const all = [...first, ...Array.from({ length: middle }, () => '0'), ...last];
  return Buffer.concat(all.slice(0, 8).map((group) => number(Number.parseInt(group, 16) & 0xffff, 2)));
}
