import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../files/folders.ts';
import { prepareDemo } from '../../../services/sandbox/sandbox.ts';
import {
  type DisplayVariables,
  displayVariables,
  flagVariables,
  readDisplaySettings,
} from '../../../services/session/display-settings.ts';
import { commandLine } from '../../../text/shell.ts';
import type { World } from '../../../world.ts';
import { type Context, command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const demoCommand = command<typeof declared.demo>({
  async run(context, { flags }) {
    const globalFlags = (['read-only', 'no-color', 'debug'] as const).filter((name) => flags[name]);
    const onTerminal = context.world.stdin.isTTY && context.world.stdout.isTTY;
    return onTerminal ? openDemo(context, globalFlags, flagVariables(flags)) : runTour(context);
  },
});

/** Opens the console on the embedded platform, in this process, with demo data. */
async function openDemo(
  context: Context,
  flags: readonly string[],
  typed: DisplayVariables,
): Promise<number> {
  // The user's own display settings also apply to the demo.
  const manners = readDisplaySettings({ ...context.world, env: { ...context.world.env, ...typed } });
  const apartWorld = isolateWorld(context.world, join(context.world.folders.data, 'demo'));
  const world = { ...apartWorld, env: { ...apartWorld.env, ...displayVariables(manners) } };
  await prepareDemo(world);
  return context.run(world, ['console', '--sandbox', ...flags.map((name) => `--${name}`)]);
}

/** Returns a World without the user's credentials and profiles, and with separate data. */
function isolateWorld(world: World, folder: string): World {
  const variables = [
    'PATH',
    'HOME',
    'TERM',
    'COLORTERM',
    'COLORFGBG',
    'LANG',
    'LC_ALL',
    'NO_COLOR',
    'EDITOR',
    'VISUAL',
    'TMUX',
    'TMPDIR',
  ];
  return {
    ...world,
    get stdin() {
      return world.stdin;
    },
    // EDGECTL_DEMO makes the console show in its header that the data is a demo.
    env: { ...Object.fromEntries(variables.map((name) => [name, world.env[name]])), EDGECTL_DEMO: '1' },
    folders: { config: join(folder, 'config'), state: join(folder, 'state'), data: join(folder, 'data') },
  };
}

const entries = [
  { key: 'flag:checkout', value: '{"enabled":true}', metadata: { owner: 'payments' } },
  { key: 'flag:search', value: '{"enabled":false}' },
  { key: 'session:9f2c', value: 'ada', expiration_ttl: 3600 },
];

/** Runs commands on an empty sandbox, and prints each command before its output. Stops at the first failure. */
async function runTour(context: Context): Promise<number> {
  const folder = makeTemporaryFolder('edgectl-tour-');
  try {
    const world = { ...isolateWorld(context.world, folder), cwd: folder };
    await writeFile(join(folder, 'edgectl.toml'), 'name = "tour"\n');
    await writeFile(join(folder, 'entries.json'), JSON.stringify(entries, null, 2));
    await writeFile(join(folder, 'keys.json'), JSON.stringify(['flag:search', 'session:9f2c']));
    for (const line of tourLines) {
      await context.output.answer(`\n$ ${commandLine(line)}\n`);
      const code = await context.run(world, line);
      if (code !== 0) return code;
    }
    await context.output.answer(
      '\nThat was a tour without a terminal. On a terminal, edgectl demo opens the console.\n',
    );
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const tourFlags = ['--binding', 'KV', '--sandbox'] as const;

const tourLines: readonly (readonly string[])[] = [
  ['kv', 'namespace', 'create', 'KV', '--update-config', '--sandbox'],
  [
    'kv',
    'key',
    'put',
    'greeting',
    'Hello from the edge',
    '--ttl',
    '3600',
    '--metadata',
    '{"lang":"en"}',
    ...tourFlags,
  ],
  ['kv', 'key', 'list', ...tourFlags],
  ['kv', 'key', 'get', 'greeting', '--text', ...tourFlags],
  ['kv', 'key', 'get', 'greeting', '--metadata', ...tourFlags],
  ['kv', 'bulk', 'put', 'entries.json', ...tourFlags],
  ['kv', 'key', 'list', '--prefix', 'flag:', '--metadata', ...tourFlags],
  ['kv', 'key', 'delete', 'greeting', ...tourFlags],
  ['kv', 'bulk', 'delete', 'keys.json', '--yes', ...tourFlags],
  ['kv', 'key', 'list', ...tourFlags],
  ['kv', 'namespace', 'delete', '--yes', ...tourFlags],
];
