import Cloudflare, { APIError } from 'cloudflare';
import type { TestSandbox } from '../sandbox/test-sandbox.ts';

type SignIn = Pick<ConstructorParameters<typeof Cloudflare>[0] & object, 'apiToken' | 'apiEmail' | 'apiKey'>;

/**
 * Returns the official SDK as a client of a sandbox. Missing credentials are null, because the SDK would read undefined credentials from
 * the environment.
 */
export function sdkClient(
  { apiBaseUrl, sandbox }: Pick<TestSandbox, 'apiBaseUrl' | 'sandbox'>,
  signIn?: SignIn,
) {
  const none = { apiToken: null, apiEmail: null, apiKey: null, userServiceKey: null };
  const { apiToken } = sandbox.access();
  return new Cloudflare({ ...none, ...(signIn ?? { apiToken }), baseURL: apiBaseUrl, maxRetries: 0 });
}

/** Each way to sign in. */
export const signIns: readonly [string, (place: TestSandbox) => SignIn][] = [
  ['a token', ({ sandbox }) => ({ apiToken: sandbox.access().apiToken })],
  [
    'an e-mail and a key',
    ({ sandbox }) => {
      const { email, apiKey } = sandbox.access();
      return { apiEmail: email, apiKey };
    },
  ],
];

/** Returns the status and error codes of a refusal. */
export async function sdkFailure(
  promise: PromiseLike<unknown>,
): Promise<{ readonly status: unknown; readonly codes: readonly number[] }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof APIError)
      return { status: error.status, codes: error.errors.map(({ code }) => code ?? 0) };
    throw error;
  }
  throw new Error('It was not refused.');
}

/** Returns all items of a listing, page by page. */
export async function listAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
