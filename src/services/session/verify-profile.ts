import { asProblem, Problem, replaceAdvice } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { defaultApiBaseUrl } from '../../profiles/base-url.ts';
import type { World } from '../../world.ts';
import { askPlatform } from '../doctor/platform.ts';
import { openSession } from './open-session.ts';
import type { NewProfile } from './profiles.ts';
import { type Listener, plainChoice } from './session.ts';

/**
 * Verifies the credentials of a profile with its platform. Throws if the platform rejects the credentials or does not respond. Saves
 * nothing.
 */
export async function verifyProfile(world: World, profile: NewProfile, listener: Listener): Promise<void> {
  const session = await openSession(
    { ...world, env: { ...world.env, ...credentialVariables(profile.auth, profile.apiBaseUrl) } },
    { ...plainChoice, accountId: profile.accountId, readOnly: true },
    listener,
  );
  try {
    const { checks } = await askPlatform(session, 'token' in profile.auth);
    const wrong = checks.find(({ name, grade }) => grade === 'wrong' && name !== 'clock');
    if (wrong !== undefined)
      throw new Problem(errorCode(wrong.facts), `${wrong.message}; nothing was saved.`);
  } catch (error) {
    throw replaceAdvice(asProblem(error), { remedy: { kind: 'keep-unverified' } });
  } finally {
    await session.close();
  }
}

function errorCode(facts: Readonly<Record<string, unknown>> | undefined) {
  return facts?.['code'] === 'unreachable' ? 'unreachable' : 'not-signed-in';
}

/** Returns the environment variables for a profile's credentials, which take precedence over all other sources. */
function credentialVariables(auth: Auth, apiBaseUrl = defaultApiBaseUrl): Record<string, string | undefined> {
  const none = { EDGECTL_API_TOKEN: undefined, EDGECTL_API_EMAIL: undefined, EDGECTL_API_KEY: undefined };
  const who =
    'token' in auth
      ? { EDGECTL_API_TOKEN: auth.token }
      : { EDGECTL_API_EMAIL: auth.email, EDGECTL_API_KEY: auth.apiKey };
  return { ...none, EDGECTL_ACCOUNT_ID: undefined, ...who, EDGECTL_API_BASE_URL: apiBaseUrl };
}
