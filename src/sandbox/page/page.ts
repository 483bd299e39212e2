import { createHash } from 'node:crypto';
import type { Answer } from '../../v4/send.ts';
import style from './page.css?raw';
import markup from './page.html?raw';
import script from './page.js?raw';

/**
 * Returns a page that shows the requests and data of a sandbox in a browser, and sets faults. The page contains no data or
 * secrets: it requests data from the API, with the token after the # in its address.
 */
export function formatPageAnswer(): Answer {
  const text = markup.replace('/*style*/', () => style).replace('/*script*/', () => script);
  const policy = [
    "default-src 'none'",
    "connect-src 'self'",
    `style-src '${formatSourceHash(style)}'`,
    `script-src '${formatSourceHash(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: Buffer.from(text) };
}

function formatSourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
