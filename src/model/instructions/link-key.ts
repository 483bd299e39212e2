import { Problem } from '../problem.ts';

/** A key that signs links: the label under which its public part is published, and the file of its private part. */
export interface KeyName {
  readonly name: string;
  readonly file: string;
}

/** The format of a key's name, for usage messages. */
export const keyForm = 'LABEL=FILE';

const pattern = /^(_?[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?)=(.+)$/is;

/** Whether a string names a key. */
export function isKeyName(text: string): boolean {
  return pattern.test(text);
}

/** The key that a string names, `_dck1=key.pem`. Refuses an invalid string with usage. */
export function keyNamed(text: string): KeyName {
  const [, name, file] = pattern.exec(text) ?? [];
  if (name !== undefined && file !== undefined) return { name, file };
  throw new Problem('usage', `"${text}" is not a Domain Connect key.`, {
    hint: `Write ${keyForm}: the label of its TXT record below the template's syncPubKeyDomain, and the file of the private key, such as _dck1=key.pem.`,
  });
}

/** Characters of a key per TXT record, whose value has at most 255 characters including the prefix. */
const fragment = 240;

/** The TXT records that publish a public key, in base64 parts. */
export function publishedFragments(key: string): readonly string[] {
  const parts = key.match(new RegExp(`.{1,${fragment}}`, 'g')) ?? [];
  return parts.map((part, at) => `p=${at + 1},a=RS256,d=${part}`);
}

/** Returns the public key from the numbered parts in TXT records; undefined if there are none. */
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
