import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../model/problem.ts';
import type { Auth } from '../model/target.ts';

/** Minimum length of a passphrase, in characters. */
export const minPassphraseLength = 8;

const base64 = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]*={0,2}$/));

/**
 * Credentials that are encrypted with a key derived from a passphrase. The limits prevent a modified file from causing excessive use of memory
 * or time.
 */
export const sealedShape = v.object({
  kdf: v.literal('scrypt'),
  cost: v.pipe(v.number(), v.integer(), v.minValue(2 ** 14), v.maxValue(2 ** 20)),
  blockSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
  parallelization: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)),
  cipher: v.literal('aes-256-gcm'),
  salt: base64,
  iv: base64,
  tag: base64,
  data: base64,
});

export type Sealed = v.InferOutput<typeof sealedShape>;

/**
 * The parameters that OWASP recommends for scrypt ("Password Storage Cheat Sheet"). Deriving a key with these parameters takes 128 MiB and
 * half a second.
 */
const parameters = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };

const saltBytes = 16;
const ivBytes = 12;

/**
 * Encrypts credentials (scrypt, AES-256-GCM). Authenticates `place` together with the credentials, so that they can be decrypted only with
 * the same `place`: a program that changes the base URL in the file cannot make edgectl send the credentials to that URL.
 */
export async function seal(
  auth: Auth,
  passphrase: string,
  place: string,
  random: (bytes: number) => Uint8Array,
): Promise<Sealed> {
  const salt = random(saltBytes);
  const iv = random(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, parameters), iv);
  cipher.setAAD(Buffer.from(place));
  const data = Buffer.concat([cipher.update(JSON.stringify(auth), 'utf8'), cipher.final()]);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    kdf: 'scrypt',
    ...parameters,
    cipher: 'aes-256-gcm',
    salt: text(salt),
    iv: text(iv),
    tag: text(cipher.getAuthTag()),
    data: text(data),
  };
}

const authShape = v.union([
  v.object({ token: v.string() }),
  v.object({ email: v.string(), apiKey: v.string() }),
]);

/** Decrypts credentials. Returns undefined if the passphrase is wrong, or if `sealed` or `place` was changed. */
export async function unseal(sealed: Sealed, passphrase: string, place: string): Promise<Auth | undefined> {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const key = await deriveKey(passphrase, bytes(sealed.salt), sealed);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes(sealed.tag));
    const text = Buffer.concat([decipher.update(bytes(sealed.data)), decipher.final()]).toString('utf8');
    return v.parse(authShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Throws if a passphrase is too short. */
export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= minPassphraseLength) return;
  throw new Problem('usage', `A passphrase must have at least ${minPassphraseLength} characters.`);
}

function deriveKey(
  passphrase: string,
  salt: Uint8Array,
  { cost, blockSize, parallelization }: Pick<Sealed, 'cost' | 'blockSize' | 'parallelization'>,
): Promise<Buffer> {
  const maxmem = 2 * 128 * cost * blockSize;
  return new Promise((resolve, reject) => {
    // Normalizes the passphrase, because keyboards compose characters differently.
    const text = passphrase.normalize('NFC');
    scrypt(text, salt, 32, { cost, blockSize, parallelization, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
