import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keymap, keymapRows } from '../components/app/keymap.ts';
import { meaningExceptions, meanings } from '../components/kit/keys/meanings.ts';
import { type Mode, modeTitles } from '../components/kit/keys/modes.ts';
import { formatPress } from '../components/kit/keys/presses.ts';
import type { Shortcut } from '../components/kit/keys/shortcut.ts';
import { listPermissions } from '../src/cli/commands/permissions.ts';
import { commandTable } from '../src/cli/commands/table.ts';
import { exitCodeMeanings } from '../src/cli/output/exit-codes.ts';
import { flagLabel, usage } from '../src/cli/output/help.ts';
import { schemaName, shapes } from '../src/cli/output/schemas.ts';
import { configurationKeys, environmentVariables } from '../src/cli/output/topics.ts';
import type { CommandDeclaration } from '../src/cli/parsing/declaration.ts';
import { globalFlags } from '../src/cli/parsing/flags.ts';
import { type FoundKind, requirements } from '../src/files/found.ts';
import { formatVersions } from '../src/model/formats.ts';
import { exitCodes } from '../src/model/problem.ts';
import { destinations, traces } from '../src/model/traces.ts';
import { hostnameColumns } from '../src/services/hostnames/fleet/export.ts';
import { commands, inConsole, reasonWithoutConsole } from './components/command-places.ts';

/** The values that only the owner of the project can set. */
const owner: Owner = JSON.parse(readFileSync('build/owner.json', 'utf8'));

interface Owner {
  readonly repository: string;
  readonly image: string;
  readonly homebrewTap: string;
  readonly scoopBucket: string;
  readonly bugs: string;
  readonly security: string;
  readonly conduct: string;
}

/**
 * The parts of README.md and of the pages in docs that are generated from declarations: file, name of the part, and text.
 * `UPDATE_README=1 npx vitest run test/readme.test.ts` writes them.
 */
const stretches: readonly (readonly [string, string, () => string])[] = [
  ['README.md', 'exit codes', () => table(['code', 'meaning'], exitCodeMeanings.map(named(String)))],
  ['docs/commands.md', 'commands', commandSections],
  ['docs/commands.md', 'flags', flagsTable],
  ['docs/commands.md', 'loss', lossTable],
  [
    'docs/environment.md',
    'environment',
    () => table(['variable', 'meaning'], environmentVariables.map(named(code))),
  ],
  ['docs/keys.md', 'meanings', meaningsTable],
  ['docs/keys.md', 'keys', keySections],
  ['docs/keys.md', 'commands', commandPlaces],
  ['docs/keys.md', 'without', commandsWithoutConsole],
  ['docs/threat-model.md', 'found files', foundTable],
  ['docs/json.md', 'schemas', schemasTable],
  ['docs/traces.md', 'destinations', destinationsTable],
  ['docs/traces.md', 'traces', tracesTable],
  ['docs/permissions.md', 'permissions', permissionsTable],
  [
    'docs/configuration.md',
    'configuration',
    () => table(['field', 'meaning'], configurationKeys.map(named(code))),
  ],
  [
    'docs/csv.md',
    'columns',
    () => table(['column', 'holds'], Object.entries(hostnameColumns).map(named(code))),
  ],
  [
    'SECURITY.md',
    'security',
    () =>
      `Use the [private form](${owner.repository}/security/advisories/new) of the repository, or write to <${owner.security}>.`,
  ],
  ['CODE_OF_CONDUCT.md', 'conduct', () => `Write to <${owner.conduct}>.`],
  ['docs/install.md', 'install', waysToInstall],
  ['SUPPORT.md', 'issues', () => `Issues: <${owner.bugs}>`],
];

function named<T>(show: (name: T) => string): (row: readonly [T, string]) => readonly [string, string] {
  return ([name, about]) => [show(name), about];
}

/** Commands, grouped by all their words except the last. */
const groups = Map.groupBy(commandTable, ({ words }) => words.split(' ').slice(0, -1).join(' '));

function foundTable(): string {
  const modes = { [0o077]: 'only the owner has access', [0o022]: 'only the owner can write', 0: 'any' };
  const rows = (Object.keys(requirements) as FoundKind[]).map((kind) => {
    const required: (typeof requirements)[FoundKind] & {
      readonly size?: number;
      readonly folder?: 0 | 0o022;
    } = requirements[kind];
    const { about, owner, closed, folder, links, size } = required;
    const above =
      folder === undefined ? 'not checked' : folder === 0 ? 'any' : 'only the owner can write, or sticky';
    return [
      about,
      owner === 'user' ? 'only the user' : 'user or root',
      modes[closed],
      above,
      links,
      size === undefined ? '' : size < 1024 * 1024 ? `${size / 1024} KiB` : `${size / 1024 / 1024} MiB`,
    ];
  });
  return table(['found', 'owner', 'mode', 'mode of its folder', 'links', 'size'], rows);
}

function destinationsTable(): string {
  return table(
    ['to', 'when', 'sends'],
    destinations.map(({ to, when, sends }) => [to, when, sends]),
  );
}

function tracesTable(): string {
  const rows = traces.map(({ name, in: place, paths, about, mode, lifetime, remove, format }) => [
    name,
    `${place}: ${code(paths[0] ?? '')}`,
    about,
    mode,
    lifetime,
    remove === undefined ? (mode === 'yours' ? 'yours' : 'delete it') : code(remove),
    format === undefined ? '' : String(formatVersions[format]),
  ]);
  return table(['name', 'file', 'contains', 'mode', 'kept', 'remove', 'format'], rows);
}

function permissionsTable(): string {
  const rows = commandTable
    .map((row) => [code(`edgectl ${row.words}`), listPermissions(row).join('; ')])
    .filter(([, permissions]) => permissions !== '');
  return table(['command', 'permissions'], rows);
}

function schemasTable(): string {
  const rows = commandTable.map(({ words }) => {
    const { value, lines, about } = shapes[words] ?? { value: null, lines: null, about: '' };
    const forms = [value === null ? '' : 'a value', lines === null ? '' : 'lines'].filter(
      (form) => form !== '',
    );
    const name = code(`edgectl ${words}`);
    const file = `schema/${schemaName(words)}.json`;
    return [forms.length === 0 ? name : `[${name}](${file})`, forms.join(' or ') || 'no JSON', about];
  });
  return table(['command', 'answers', 'remarks'], rows);
}

function commandSections(): string {
  return [...groups]
    .map(([group, commands]) => {
      const head = ['command', 'does', 'own flags'];
      return section(`edgectl ${group}`.trim(), table(head, commands.map(commandRow)));
    })
    .join('\n');
}

function commandRow(row: CommandDeclaration): string[] {
  const flags = Object.entries(row.flags).filter(([, flag]) => flag.hidden !== true);
  const names = flags.map(([name, flag]) => code(flagLabel(name, flag).trim())).join(' ');
  const does = row.loss?.asks !== undefined ? `${row.about} (asks)` : row.about;
  return [code(usage(row).replace(' [flags]', '')), does, names];
}

function lossTable(): string {
  const rows = commandTable.flatMap(({ words, loss, flags }) => {
    if (loss === undefined && flags['force'] === undefined) return [];
    const { names = '', keeps = '', asks = '' } = loss ?? {};
    const limit =
      flags['limit'] === undefined || asks === ''
        ? ''
        : flags['confirm'] === undefined
          ? '; `--limit N`'
          : '; `--limit N` or `--confirm HASH`';
    return [[code(`edgectl ${words}`), names, keeps, `${asks}${limit}`]];
  });
  const changing = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  return table(['command', 'overwrites or deletes by name', 'saves for undo', 'asks before'], changing);
}

function flagsTable(): string {
  const rows = Object.entries(globalFlags).map(([name, flag]) => [
    code(flagLabel(name, flag).trim()),
    flag.about,
  ]);
  return table(['flag', 'meaning'], rows);
}

function meaningsTable(): string {
  const rows = Object.entries(meanings).map(([press, { means }]) => {
    const other = meaningExceptions[press];
    return [code(formatPress(press)), other === undefined ? means : `${means}; ${other.means} ${other.why}`];
  });
  return table(['key', 'means'], rows);
}

function commandPlaces(): string {
  const rows = Object.entries(inConsole).map(([words, places]) => {
    const byPane = Map.groupBy(places, (place) => place.split(' ')[0] as Mode);
    const there = [...byPane].map(([mode, all]) => {
      const keys = all.map((place) => {
        const shortcuts: ReadonlyArray<Shortcut<string>> = keymap[mode];
        const { press = [] } = shortcuts.find(({ does }) => place === `${mode} ${does}`) ?? {};
        return code(formatPress(press[0] ?? ''));
      });
      const pane = mode === 'nouns' || mode === 'global' ? 'anywhere' : `in ${modeTitles[mode]}`;
      return `${keys.join(' ')} ${pane}`;
    });
    return [code(`edgectl ${words}`), there.join(', ')];
  });
  return table(['command', 'in the console'], rows);
}

function commandsWithoutConsole(): string {
  const rows = commands.flatMap((words): [string, string][] => {
    const reason = reasonWithoutConsole(words);
    return reason === undefined ? [] : [[words, reason]];
  });
  return table(
    ['commands', 'why not'],
    [...Map.groupBy(rows, ([, reason]) => reason)].map(([reason, all]) => [
      all.map(([words]) => code(words)).join(', '),
      reason,
    ]),
  );
}

function keySections(): string {
  return [...Map.groupBy(keymapRows(), ({ area }) => area)]
    .map(([area, keys]) => {
      const isSplit =
        keys.some(({ panes }) => panes.length > 0) && new Set(keys.flatMap(({ panes }) => panes)).size > 1;
      const rows = keys.map(({ presses, about, panes, action }) => [
        presses.map(code).join(' '),
        about,
        ...(isSplit ? [panes.join(', ')] : []),
        code(action),
      ]);
      return section(area, table(['key', 'does', ...(isSplit ? ['in'] : []), 'name'], rows));
    })
    .join('\n');
}

function section(title: string, text: string): string {
  return `\n## ${title}\n\n${text}`;
}

function waysToInstall(): string {
  const { devDependencies: tested } = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = 'VERSION';
  const download = `${owner.repository}/releases/download/v${version}`;
  const action = owner.repository.replace('https://github.com/', '');
  const ways: Record<string, string[]> = {
    npm: [
      'npm install -g edgectl',
      `npm install -g miniflare@${tested.miniflare} esbuild@${tested.esbuild}    # to bundle, run and deploy workers`,
    ],
    Homebrew: [`brew install ${owner.homebrewTap}/edgectl`],
    Scoop: [`scoop bucket add edgectl ${owner.scoopBucket}`, 'scoop install edgectl'],
    'Debian and Ubuntu (for ARM, replace `amd64` with `arm64`)': [
      `curl -fLO ${download}/edgectl_${version}_amd64.deb`,
      `sudo apt-get install ./edgectl_${version}_amd64.deb`,
    ],
    'Fedora and RHEL (for ARM, replace `x86_64` with `aarch64`)': [
      `sudo dnf install ${download}/edgectl-${version}-1.x86_64.rpm`,
    ],
    'One file, for `linux-x64`, `linux-arm64`, `darwin-x64`, `darwin-arm64` or `win32-x64.exe`': [
      `curl -fLo edgectl ${download}/edgectl-${version}-linux-x64`,
      'chmod +x edgectl',
      `gh attestation verify edgectl --repo ${action}    # checks where it was built`,
    ],
    'Container: the sandbox for other containers, or any command': [
      `docker run -p 127.0.0.1:8787-8791:8787-8791 ${owner.image}:${version}`,
      `docker run -v "$PWD:/work" -w /work ${owner.image}:${version} sandbox exec -- npm test`,
    ],
  };
  const blocks = Object.entries(ways).map(
    ([way, lines]) =>
      `${way}:\n\n<!-- not run: it downloads a release -->\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`,
  );
  const yaml = [
    `- uses: ${action}@v${version}`,
    '  with:',
    '    seed: test/seed.yaml',
    '- run: npm test',
  ].join('\n');
  return `${blocks.join('\n')}\nGitHub Actions:\n\n<!-- not run: GitHub runs it -->\n\`\`\`yaml\n${yaml}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

test.each(stretches)('the generated section of %s about %s matches the declarations', (file, name, write) => {
  const document = readFileSync(file, 'utf8');
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const start = document.indexOf(open) + open.length;
  const end = document.indexOf(close);
  expect(start).toBeGreaterThanOrEqual(open.length);
  expect(end).toBeGreaterThanOrEqual(start);
  const wanted = `${write()}\n`;
  if (process.env['UPDATE_README'] === '1') {
    writeFileSync(file, document.slice(0, start) + wanted + document.slice(end));
    return;
  }
  expect(document.slice(start, end)).toBe(wanted);
});

test('every exit code of a Problem is explained', () => {
  const explained = exitCodeMeanings.map(([number]) => number);
  for (const number of Object.values(exitCodes)) expect(explained).toContain(number);
});
