import { Problem } from '../problem.ts';

/** A key that signs links: the DNS label of the published public key, and the file of the private key. */
export interface KeyName {
  readonly name: string;
  readonly file: string;
}

/** The format of a key argument, for usage messages. */
export const keyForm = 'LABEL=FILE';

const pattern = /^(_?[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?)=(.+)$/is;

/** Returns whether a string has the format of a key argument. */
export function isKeyName(text: string): boolean {
  return pattern.test(text);
}

/** Parses a key argument such as `_dck1=key.pem`. Throws `usage` for an invalid string. */
export function keyNamed(text: string): KeyName {
  const [, name, file] = pattern.exec(text) ?? [];
  if (name !== undefined && file !== undefined) return { name, file };
  throw new Problem('usage', `"${text}" is not a Domain Connect key.`, {
    hint: `Write ${keyForm}: the label of the public key's TXT record below the template's syncPubKeyDomain, and the private key file, such as _dck1=key.pem.`,
  });
}

/** Number of characters of a key per TXT record. A TXT value has at most 255 characters, including the prefix. */
const fragment = 240;

/** Returns the TXT values that publish a public key in base64, split into parts. */
export function publishedFragments(key: string): readonly string[] {
  const parts = key.match(new RegExp(`.{1,${fragment}}`, 'g')) ?? [];
  return parts.map((part, at) => `p=${at + 1},a=RS256,d=${part}`);
}

/** Returns the public key that is published in numbered parts in TXT records; undefined if there are no parts. */
export function publishedKey(texts: readonly string[]): string | undefined {
  const parts = texts.flatMap((text) => {
    const fields = new Map(text.split(',').map((field) => [field.slice(0, 1), field.slice(2)] as const));
    const [at, part] = [Number(fields.get('p') ?? 1), fields.get('d')];
    return part === undefined ? [] : [{ at, part }];
  });
  if (parts.length === 0) return undefined;
  return parts
    .sort((left, right) => left.at - right.at)
    .map(({ part }) => part)
    .join('');
}
