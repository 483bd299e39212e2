import { describeIdentity, type Identity } from '../../../services/session/account.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const whoamiCommand = command<typeof declared.whoami>({
  async run({ session, output }) {
    const identity = await describeIdentity(await session());
    if (output.json) {
      await output.answerJson(identity);
      return;
    }
    const accounts = identity.accounts.map(({ id, name }) => `  ${id}  ${name}`);
    const lines = [
      `profile    ${identity.profile}`,
      `platform   ${identity.apiBaseUrl ?? 'in this process'}`,
      `signed in  ${formatCredential(identity.signsInWith)}${identity.email === undefined ? '' : ` (${identity.email})`}`,
      `account    ${identity.accountId ?? 'none chosen'}`,
      ...(accounts.length > 0 ? ['accessible accounts:', ...accounts] : []),
    ];
    for (const line of lines) await output.line(line);
  },
});

function formatCredential(kind: Identity['signsInWith']): string {
  if (kind === null) return 'none needed';
  return kind === 'token' ? 'API token' : 'email and API key';
}
