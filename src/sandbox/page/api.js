// The page's client for the API of the sandbox that serves the page.

export const base = '/client/v4';

let token = takeToken();

/** Reads the token after the # in the address, which browsers do not send to servers. The token is stored only for this tab. */
function takeToken() {
  const given = location.hash.slice(1);
  if (given !== '') {
    sessionStorage.setItem('token', decodeURIComponent(given));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token');
}

export const isSignedIn = () => token !== null;

/** Uses a token that the user typed, and stores it only for this tab. */
export function signInWith(given) {
  token = given;
  sessionStorage.setItem('token', given);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Returns the headers of a request. The second header keeps the requests of this page out of the log, and exempts them from faults. */
export const signedIn = () => ({ authorization: `Bearer ${token}`, 'edgectl-page': '1' });

export async function ask(path, { method = 'GET', body } = {}) {
  const headers = { ...signedIn() };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  if (answer.headers.get('content-type')?.includes('json') !== true) return answer;
  const envelope = await answer.json();
  if (envelope.success !== true)
    throw new Refused(answer.status, envelope.errors?.[0]?.message ?? `status ${answer.status}`);
  return envelope;
}
