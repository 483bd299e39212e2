import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readWholeFile } from '../../files/read.ts';
import { type KeyName, publishedFragments } from '../../model/instructions/link-key.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';

/** A key that signs Domain Connect links. */
export interface LinkKey extends KeyName {
  /** Returns the signature of a query string, in base64. `query` must be exactly the query string of the link. */
  sign(query: string): string;
  /** The public key in base64, which TXT records publish in parts. */
  readonly published: string;
  /** The contents of the TXT records that publish the key. */
  readonly records: readonly string[];
}

const maxKeyBytes = 64 * 1024;

/**
 * Reads the private key in a PEM file. Throws invalid-input if the file is unreadable or does not contain an unencrypted RSA private key.
 * Only RSA is supported, because every provider can verify RS256 (Domain Connect, Signing Procedure).
 */
export async function openLinkKey(world: World, { name, file }: KeyName): Promise<LinkKey> {
  const key = parseKey(await readWholeFile(world, { name: file }, maxKeyBytes), file);
  const published = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    name,
    file,
    published,
    records: publishedFragments(published),
    sign: (query) => sign('RSA-SHA256', Buffer.from(query), key).toString('base64'),
  };
}

function parseKey(pem: Buffer, file: string): KeyObject {
  const hint = 'The file must contain an unencrypted RSA key in PEM format: openssl genrsa -out key.pem 2048';
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch (cause) {
    throw new Problem('invalid-input', `${file} contains no usable private key.`, { hint, cause });
  }
  throw new Problem('invalid-input', `${file} does not contain an RSA key.`, { hint });
}
