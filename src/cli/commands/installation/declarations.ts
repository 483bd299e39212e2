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
      about: 'Used only by the script, which passes "words" as SHELL, and then the words typed so far',
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

export const manual = declare({
  words: 'man',
  about: 'Print a manual page',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    PAGE: { about: 'First word of a command group (default: the edgectl page)', optional: true },
  },
  flags: {},
  examples: [
    ['man kv | man -l -', 'read the page on kv'],
    ['man kv > ~/.local/share/man/man1/edgectl-kv.1', 'install the page on kv'],
  ],
  notes: ['An npm installation includes the manual pages: man edgectl-kv shows the page on kv.'],
});

export const licenses = declare({
  words: 'licenses',
  about: 'Print the licenses of edgectl and all included software',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['licenses > LICENSES', 'save the licenses to a file']],
  notes: ['The standalone executable contains Node.js, so it also prints the licenses of Node.js.'],
});
