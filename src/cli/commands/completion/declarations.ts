import { shells } from '../../completion/shells.ts';
import { declare } from '../../parsing/declaration.ts';

export const completion = declare({
  words: 'completion',
  about: 'Print a shell completion script',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    SHELL: { about: 'bash, zsh or fish', completes: shells },
    WORD: {
      about: 'Used by the script: SHELL is "words", followed by the words typed so far',
      optional: true,
      many: true,
    },
  },
  flags: {},
  examples: [
    [
      'completion bash > ~/.local/share/bash-completion/completions/edgectl',
      'install for bash; restart the shell',
    ],
    ['completion zsh > ~/.zsh/completions/_edgectl', 'install for zsh, if the folder is in fpath'],
    ['completion fish > ~/.config/fish/completions/edgectl.fish', 'install for fish'],
  ],
  notes: [
    'Bindings come from the configuration. Namespaces, buckets, hostnames, zones and profiles are looked up where the command would act, and ' +
      'cached for a minute.',
  ],
});
