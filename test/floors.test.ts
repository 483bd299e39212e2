import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Maps a folder or file to its floor. A file imports only from its own folder and from lower floors. */
const floors: readonly (readonly [RegExp, number])[] = [
  [/^src\/(main\.ts|library\/)/, 5],
  [/^(src\/cli|components)\//, 4],
  [/^src\/services\//, 3],
  [/^src\/sandbox\//, 2],
  [/^src\/(v4|store|config|profiles|dns|text|probe|s3)\//, 1],
  [/^src\/(model\/|files\/|world\.ts|liveness\.ts|lock\.ts|heap\.ts)/, 0],
];

/**
 * The floors of the console, lowest first, with the folders on each. A file imports only from its own folder and from lower floors. Each
 * noun has a folder on the floor of the nouns.
 */
const consoleFloors: readonly (readonly string[])[] = [
  ['kit/keys', 'kit/terminal'],
  ['kit/terminal/ink'],
  ['kit'],
  ['ui/lines'],
  ['ui/input', 'ui/live', 'ui/status', 'ui/tasks'],
  ['ui/layout'],
  ['ui/frame'],
  ['ui/forms'],
  ['ui/viewer'],
  ['ui/preview'],
  ['ui/lists'],
  ['doctor', 'hostnames', 'kv', 'messages', 'objects', 'settings', 'tasks', 'undo', 'workers', 'zones'],
  ['hostnames/diagnoses', 'hostnames/forecast', 'hostnames/instructions', 'hostnames/plan'],
  ['comparison'],
  ['guard', 'home', 'palette', 'places'],
  ['app'],
];

/** Packages that only one file or folder may import. */
const keepers: readonly (readonly [RegExp, RegExp])[] = [
  [/^got$/, /^src\/v4\/remote\.ts$/],
  [/^conf$/, /^src\/profiles\//],
  [/^miniflare$/, /^src\/sandbox\/workers\/runtime\.ts$/],
  [/^(ink|ink-.*|react|react\/.*)$/, /^components\//],
  [/^src\/store\//, /^src\/(sandbox|store)\//],
  [/^src\/sandbox\//, /^src\/(sandbox\/|services\/sandbox\/embedded-platform\.ts$)/],
];

interface Import {
  readonly file: string;
  readonly to: string;
  readonly line: string;
}

const files = ['src', 'components'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name)),
);

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'([^']+)'/g)].map((match) => ({
    file,
    to: match[1] ?? '',
    line: match[0],
  })),
);

/** Returns the path of an import, or the name of its package. */
function getPath(file: string, to: string): string {
  return to.startsWith('.') ? normalize(join(dirname(file), to)) : to;
}

function getFloor(path: string): number {
  const row = floors.find(([pattern]) => pattern.test(path));
  if (row === undefined) throw new Error(`${path} has no layer: add its folder to this test`);
  return row[1];
}

function getRoom(path: string): string {
  return path.startsWith('components/') ? 'components' : path.split('/').slice(0, 2).join('/');
}

test('modules import only from floors below, never from a sibling', () => {
  const wrong = imports
    .filter(({ to }) => to.startsWith('.') && !to.includes('/node_modules/'))
    .map(({ file, to }) => ({ file, target: normalize(join(dirname(file), to)) }))
    .filter(({ file, target }) => getRoom(file) !== getRoom(target) && getFloor(target) >= getFloor(file))
    .filter(({ file, target }) => !(getFloor(file) === 0 && getFloor(target) === 0))
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(wrong).toEqual([]);
});

test('folders of the console import only from floors below, never from a sibling', () => {
  const getFloor = (folder: string) => consoleFloors.findIndex((folders) => folders.includes(folder));
  const folderOf = (file: string) => dirname(file).replace('components/', '');
  const inConsole = imports
    .map(({ file, to }) => ({ file, target: getPath(file, to) }))
    .filter(({ file, target }) => file.startsWith('components/') && target.startsWith('components/'));
  const homeless = files.filter((file) => file.startsWith('components/') && getFloor(folderOf(file)) === -1);
  expect(homeless, 'each folder has a floor in this test').toEqual([]);
  const wrong = inConsole
    .filter(({ file, target }) => folderOf(file) !== folderOf(target))
    .filter(({ file, target }) => getFloor(folderOf(target)) >= getFloor(folderOf(file)))
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(wrong).toEqual([]);
});

test('only wrapper modules import packages and closed folders', () => {
  const wrong = imports
    .filter(({ file, to }) => keepers.some(([what, who]) => what.test(getPath(file, to)) && !who.test(file)))
    .map(({ file, to }) => `${file} -> ${to}`);
  expect(wrong).toEqual([]);
});

test('modules without JSX import components only as types, so that states and layouts work without Ink', () => {
  const wrong = files
    .filter((file) => file.startsWith('components/') && file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import (?!type\b)[^;]*? from '([^']+\.tsx)'/gm)].map(
        (match) => `${file} -> ${match[1]}`,
      ),
    );
  expect(wrong).toEqual([]);
});

test('the entry to the sandbox loads the modules of the sandbox lazily', () => {
  const door = readFileSync('src/services/sandbox/embedded-platform.ts', 'utf8');
  expect(door.match(/^(?:import|export)(?! type\b)[^;]*? from '/gm)).toBeNull();
});

test('the program imports shapes only as types, because valibot would slow down startup', () => {
  const valueImports = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import (?!type\b)[^;]*? from '([^']+)';/gm)].map((match) => ({
      file,
      target: getPath(file, match[1] ?? ''),
    })),
  );
  const declaring = new Set(
    valueImports.flatMap(({ file, target }) => (target === 'src/model/shape.ts' ? [file, target] : [])),
  );
  const wrong = valueImports
    .filter(
      ({ file, target }) => declaring.has(target) && !/(answers|-shape|schemas|help-json)\.ts$/.test(file),
    )
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(wrong).toEqual([]);
});

test('no code below main reads the process, the clock or a global random source', () => {
  const outside =
    /\bprocess\.(env|argv|cwd|stdin|stdout|stderr|exit|on|pid)\b|\bDate\.now\(|new Date\(\)|Math\.random/;
  const allowed = /^src\/main\.ts$|^src\/library\/|^components\/kit\/terminal\/(?:environment|signals)\.ts$/;
  const wrong = files
    .filter((file) => !allowed.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          outside.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) ? [`${file}:${at + 1}`] : [],
        ),
    );
  expect(wrong).toEqual([]);
});

test('no file has a generic name that would fit every program', () => {
  const vague = /(^|\/)(utils?|helpers?|common|shared|core|manager|handler)\.[a-z]+$/;
  expect(files.filter((file) => vague.test(file))).toEqual([]);
});

test('there are no import cycles, including type imports', () => {
  expect(circlesAmong(files)).toEqual([]);
});

/** Returns import cycles, one for each group of files that import each other. */
function circlesAmong(all: readonly string[]): string[] {
  const targets = Map.groupBy(
    imports.filter(({ to }) => to.startsWith('.')),
    ({ file }) => file,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file);
    if (from !== -1) circles.push([...way.slice(from), file].join(' -> '));
    if (from !== -1 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) walk(normalize(join(dirname(file), to)), [...way, file]);
    done.add(file);
  };
  for (const file of all) walk(file, []);
  return circles;
}
