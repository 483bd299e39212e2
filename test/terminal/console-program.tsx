import process from 'node:process';
import { runConsole } from '../../components/app/run-console.tsx';
import { remedyWords } from '../../components/kit/remedy-words.ts';
import { listCapabilities } from '../../src/model/capability.ts';
import { asProblem } from '../../src/model/problem.ts';
import { problemLines } from '../../src/text/problem.ts';
import { memoryKv } from '../components/memory-kv.ts';
import { noPlaces } from '../components/memory-places.ts';
import { processWorld } from './process-world.ts';

/**
 * The options of this program, which runs the console with in-memory data for tests on a real terminal: the number of keys, and additional
 * names and values. The first argument contains the options as JSON.
 */
export interface ProgramOptions {
  readonly keys?: number;
  readonly entries?: ReadonlyArray<readonly [key: string, value: string]>;
  readonly titles?: readonly string[];
  /** The kind of error that the key `§` causes, to check the state of the terminal afterwards. */
  readonly fault?: 'unhandled' | 'thrown' | 'drawing';
}

const options: ProgramOptions = JSON.parse(process.argv[2] ?? '{}');
const kv = memoryKv(() => Date.now());
kv.namespaces.push({ id: 'a'.repeat(32), title: 'sessions' });
for (const title of options.titles ?? []) kv.namespaces.push({ id: String(kv.namespaces.length), title });
for (let index = 0; index < (options.keys ?? 0); index++) {
  const name = `session:${String(index).padStart(7, '0')}:user-${(index * 7919) % 1000}`;
  const extra =
    index % 3 === 0 ? { expiration: Math.floor(Date.now() / 1000) + 3600 * (index % 100) + 300 } : {};
  kv.put('a'.repeat(32), name, `{"session":${index},"roles":["reader","writer"]}`, extra);
}
for (const [key, value] of options.entries ?? []) kv.put('a'.repeat(32), key, value);

const label = {
  target: 'local',
  where: { kind: 'remote', profile: 'demo', baseUrl: 'https://api.demo.invalid/client/v4' },
  accountLabel: 'Demo account',
  readOnly: false,
} as const;
const world = processWorld();
if (options.fault !== undefined) process.stdin.on('data', (data) => fail(String(data)));

try {
  process.exitCode = await runConsole(
    world,
    {
      async connect({ target = 'local' }) {
        const can = listCapabilities({ kind: target === 'local' ? 'local' : 'remote' });
        return {
          label: { ...label, can, target },
          services: { places: noPlaces, kv: kv.service },
          async close() {},
        };
      },
      redact: (text) => text,
      async open() {
        throw new Error('there is no session over data in memory');
      },
    },
    { opens: { pane: 'namespaces' } },
  );
} catch (error) {
  process.stderr.write(`${problemLines(asProblem(error), remedyWords).join('\n')}\n`);
  process.exitCode = 1;
}

function fail(input: string): void {
  if (!input.includes('§')) return;
  const error = new Error('this was a test');
  if (options.fault === 'thrown') throw error;
  if (options.fault === 'unhandled') void Promise.reject(error);
  // Drawing the title throws the error. The panes are redrawn only after a resize.
  Object.defineProperty(kv.namespaces[0], 'title', { get: () => raise(error) });
  Object.assign(world.stdout, { rows: 20 });
  world.stdout.emit('resize');
}

function raise(error: Error): never {
  throw error;
}
