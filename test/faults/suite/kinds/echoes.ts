import type { Passing, ProxyAnswer } from '../../../support/proxy.ts';
import { type Fault, html, isEnvelope, type Kind } from '../fault.ts';
import { reply } from '../faulty-server.ts';

type Echo = (said: string, right: ProxyAnswer) => ProxyAnswer;

/** Creates a fault whose answers contain the credential of the request. */
function echo(
  name: string,
  make: Echo,
  mayPass: Fault['mayPass'] = () => false,
  concerns?: Fault['concerns'],
): Fault {
  return {
    name,
    begin:
      () =>
      ({ response, passing, right }) =>
        reply(response, make(getCredential(passing), right)),
    mayPass,
    ...(concerns && { concerns }),
  };
}

function getCredential({ headers }: Passing): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}

const refusal = (status: number, message: string, headers = {}): ProxyAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({
    success: false,
    errors: [{ code: 10_001, message, error_chain: [{ code: 1, message: `in the chain: ${message}` }] }],
    messages: [{ code: 1, message }],
    result: null,
  }),
});

/** Replaces every string in a result with this text. */
function spoken(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => spoken(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoken(one, text)]));
}

/** Servers that return edgectl's credentials in their answers. */
export const echoKinds: readonly Kind[] = [
  {
    name: 'a credential in the message of a refusal',
    faults: [400, 401, 403, 404, 409, 500].map((status) =>
      echo(
        `a ${status}`,
        (said) => refusal(status, `Bad token: "Bearer ${said}"`),
        // For a deletion, the command reports that the item does not exist, which is as good as success.
        (_, asked) => status === 404 && asked.some(({ method }) => method === 'DELETE'),
      ),
    ) as [Fault, ...Fault[]],
  },
  {
    name: 'a credential in a header',
    faults: [
      echo('cf-ray', (said) => refusal(400, 'no', { 'cf-ray': said })),
      echo('retry-after', (said) => refusal(429, 'no', { 'retry-after': said })),
      echo('location', (said) => ({
        ...refusal(302, 'no'),
        headers: { location: `http://127.0.0.1:1/?${said}` },
      })),
      echo('location, encoded', (said) => ({
        ...refusal(302, 'no'),
        headers: { location: `http://127.0.0.1:1/?${encodeURIComponent(`Bearer ${said}`)}` },
      })),
    ],
  },
  {
    name: 'a credential in a page',
    faults: [
      echo('HTML with 502', (said) => ({ status: 502, headers: html, body: `<p>Bearer ${said}</p>` })),
      echo('HTML with 200', (said) => ({ status: 200, headers: html, body: said }), undefined, isEnvelope),
    ],
  },
  {
    name: 'a credential in the result',
    faults: [
      echo(
        'every string',
        (said, right) => {
          const { result, ...rest } = JSON.parse(String(right.body));
          return { ...right, body: JSON.stringify({ ...rest, result: spoken(result, said) }) };
        },
        () => true,
        isEnvelope,
      ),
    ],
  },
];
