import { declare } from '../../parsing/declaration.ts';

export const guardExec = declare({
  words: 'guard exec',
  about: 'Run a command that reaches the platform only through a guard',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    COMMAND: { about: 'Program and its arguments, after --', many: true },
  },
  flags: {},
  examples: [
    ['guard exec -- terraform apply', 'let Terraform read and change, but not delete'],
    ['guard exec --profile acme -- npx wrangler deploy', 'guard wrangler, with the credentials of a profile'],
    ['guard exec --sandbox -- npm test', 'guard the embedded platform'],
  ],
  notes: [
    'The guard listens on this machine and forwards allowed requests to the platform with the real credentials. The command gets an address and a token ' +
      'that are valid only there: EDGECTL_*, CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_BASE_URL (wrangler) and CLOUDFLARE_BASE_URL (the SDKs). Variables with other credentials are removed.',
    'Reads and changes are allowed. Deletes, and writes to routes that edgectl does not know, require approval and are refused with 403. docs/guard.md describes policies and limits.',
    'edgectl exits with the exit code of the command, or with 128 plus the signal number if a signal killed it.',
  ],
});
