import type { Person } from './run-command.ts';
import type { Served } from './served.ts';

/** Permission groups that apply to an account; other groups are granted for all zones of the account, or for the user. */
const ofAccount = /^Workers (?!Routes)/;
const ofUser = /^(?:API|User)/;

/** Returns a person whose token has only these permissions, such as `DNS Write`. */
export async function personWith(
  served: Served,
  names: readonly string[],
  more: object = {},
): Promise<Person> {
  const { accountId, apiToken } = served.sandbox.access();
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await served.sandbox.send({
      method,
      path,
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      repeatable: false,
    });
    return JSON.parse(Buffer.from(answer.body as Uint8Array).toString()).result;
  };
  const groups: { id: string; name: string }[] = await ask('GET', '/user/tokens/permission_groups');
  const zones = { 'com.cloudflare.api.account.zone.*': '*' };
  const policies = names.map((name) => ({
    effect: 'allow',
    permission_groups: groups.filter((group) => group.name === name).map(({ id }) => ({ id })),
    resources: ofUser.test(name)
      ? { 'com.cloudflare.api.user.*': '*' }
      : { [`com.cloudflare.api.account.${accountId}`]: ofAccount.test(name) ? '*' : zones },
  }));
  const { value } = await ask('POST', '/user/tokens', { name: 'a token', policies, ...more });
  return { ...served.person, env: { ...served.person.env, EDGECTL_API_TOKEN: value } };
}
