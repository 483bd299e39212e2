import { shells } from '../../completion/shells.ts';
import { declare } from '../../parsing/declaration.ts';

export const completion = declare({
  words: 'completion',
  about: 'Print a script by which a shell completes commands, flags and names',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    SHELL: { about: 'bash, zsh or fish', completes: shells },
    WORD: {
      about: 'For the script itself: SHELL is "words", and what is typed so far follows',
      optional: true,
      many: true,
    },
  },
  flags: {},
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/edgectl', 'for bash, from its next start'],
    ['completion zsh > ~/.zsh/completions/_edgectl', 'for zsh, where that folder is in fpath'],
    ['completion fish > ~/.config/fish/completions/edgectl.fish', 'for fish'],
  ],
  notes: [
    'Bindings are those of the configuration; namespaces, buckets, hostnames, zones and profiles are asked for where the ' +
      'command would act, and kept for a minute.',
  ],
});
