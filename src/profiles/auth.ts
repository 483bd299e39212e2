import { Problem } from '../model/problem.ts';
import type { Auth } from '../model/target.ts';

/**
 * Returns credentials, or throws if they are empty or contain characters outside visible ASCII, which are invalid in a header. The message
 * does not contain the secret. `from` describes the source of the credentials, for the message.
 */
export function checkAuth(auth: Auth, from: string): Auth {
  if ('token' in auth) return { token: checkSecret(auth.token, 'API token', from) };
  return {
    email: checkSecret(auth.email, 'email', from),
    apiKey: checkSecret(auth.apiKey, 'API key', from),
  };
}

function checkSecret(text: string, what: string, from: string): string {
  if (text === '') throw new Problem('usage', `The ${what} (${from}) is empty.`);
  const match = /[^!-~]/u.exec(text);
  if (match === null) return text;
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new Problem(
    'usage',
    `The ${what} (${from}) is not valid: character ${match.index + 1} is U+${code}.`,
    {
      hint: 'Only visible ASCII characters are allowed. A space or a line break at the end often comes from copying.',
    },
  );
}
