import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Every document of the project. */
const documents = globSync('**/*.md', { exclude: ['node_modules', 'dist*', '.*'] });

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** Returns the targets of the links in a document that point to other files of the project, such as `docs/keys.md#every-pane`. */
function getLinks(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** Returns the anchors that GitHub generates from the headings of a document. */
function getAnchors(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

test('every link between the documents has an existing target', () => {
  expect(documents).toContain('README.md');
  const dead = documents.flatMap((path) =>
    getLinks(path)
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        return !existsSync(target) || (anchor !== undefined && !getAnchors(target).includes(anchor));
      })
      .map((link) => `${path} -> ${link}`),
  );
  expect(dead).toEqual([]);
});

/** The paths of all files of the project, and of all folders with a trailing slash. */
const paths = globSync('**', { exclude: ['node_modules', 'dist*', '.git'], withFileTypes: true }).map(
  (entry) => `/${relative('.', join(entry.parentPath, entry.name))}${entry.isDirectory() ? '/' : ''}`,
);

/** Returns the paths in backticks in a document; `<noun>` matches any name. */
function pathsIn(document: string): string[] {
  const quoted = [...document.matchAll(/`(?:\.\.\/)?([\w.<>/-]+)`/g)].map(([, path = '']) => path);
  return quoted.filter((path) => /^(?:src|components|test)\/|\/$|\.(?:tsx?|mjs|cjs|txt|md)$/.test(path));
}

function isThere(path: string): boolean {
  const pattern = path.replace(/[.]/g, '\\$&').replace(/<\w+>/g, '[^/]+');
  const end = new RegExp(`/${pattern}/?$`);
  return paths.some((one) => end.test(one));
}

test.each(['CONTRIBUTING.md', 'src/README.md', 'docs/decisions.md'])(
  'every path that %s names exists',
  (name) => {
    const document = readFileSync(name, 'utf8');
    const named = pathsIn(document);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  },
);

test('every npm script, test file and benchmark that a document names exists', () => {
  const text = documents.map((path) => readFileSync(path, 'utf8')).join('\n');
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named(/npm run ([\w:]+)/g)));
  const files = named(/vitest run (test\/[\w./-]+)/g);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((path) => !existsSync(path))).toEqual([]);
  expect(named(/npm run bench -- (\w+)/g).filter((name) => !existsSync(`bench/${name}.mjs`))).toEqual([]);
});

test('every key in the tour of the console exists', () => {
  const keysIn = (path: string) =>
    new Set([...readFileSync(path, 'utf8').matchAll(/`([!-}])`/g)].map(([, key = '']) => key));
  const named = keysIn('docs/console.md');
  expect(named.size).toBeGreaterThan(30);
  const keys = keysIn('docs/keys.md');
  expect([...named].filter((key) => !keys.has(key))).toEqual([]);
});

test('src/README.md is short enough to read', () => {
  expect(readFileSync('src/README.md', 'utf8').split('\n').length).toBeLessThan(150);
});

test('.node-version names the Node version that npm ci installs', () => {
  expect(readFileSync('.node-version', 'utf8')).toBe(`${manifest.devDependencies.node}\n`);
});

test('the editor settings in the repository match the formatter', () => {
  const { formatter } = JSON.parse(readFileSync('biome.json', 'utf8'));
  const everywhere = readFileSync('.editorconfig', 'utf8').split(/^\[/m)[1]?.split('\n') ?? [];
  expect(everywhere).toEqual(
    expect.arrayContaining([
      `indent_style = ${formatter.indentStyle}`,
      `indent_size = ${formatter.indentWidth}`,
      `max_line_length = ${formatter.lineWidth}`,
    ]),
  );
});

test('every type in the word list of src/README.md is declared in the file that the list names', () => {
  const map = readFileSync('src/README.md', 'utf8');
  const words = [...map.matchAll(/^\| ((?:`\w+`(?:, )?)+) \(`([^`]+)`\) \|/gm)].flatMap(
    ([, names = '', file = '']) => names.split(', ').map((name) => ({ name: name.slice(1, -1), file })),
  );
  expect(words.length).toBeGreaterThan(15);
  const wrong = words.filter(({ name, file }) => {
    const path = file.startsWith('components/') ? file : join('src', file);
    return !new RegExp(`^export (?:interface|type|class) ${name}\\b`, 'm').test(readFileSync(path, 'utf8'));
  });
  expect(wrong).toEqual([]);
});

/** Returns the contents of the matching source files by path. */
const textsOf = (pattern: string) =>
  new Map(globSync(pattern).map((path) => [path, readFileSync(path, 'utf8')] as const));
const sources = textsOf('src/**/*.ts');

test('every exported type of src and the console has a unique name', () => {
  const places = new Map<string, string[]>();
  for (const [path, text] of [...sources, ...textsOf('components/**/*.{ts,tsx}')]) {
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  expect(places.size).toBeGreaterThan(300);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

test('no doc comment of src begins with "What"', () => {
  const riddles = [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\/\*\*[\s*]*What\b.*/g)].map(([comment]) => `${path}: ${comment}`),
  );
  expect(riddles).toEqual([]);
});

/** Returns the tests named in a part of a document: `<!-- test: path › name -->`. */
function namedTests(text: string): { path: string; name: string }[] {
  return [...text.matchAll(/<!-- test: (\S+) › (.+?) -->/g)].map(([, path = '', name = '']) => ({
    path,
    name,
  }));
}

test('every promise in the documents names existing tests that check the promise', () => {
  const security = readFileSync('SECURITY.md', 'utf8');
  const promises =
    /## What edgectl promises\n\n([\s\S]*?)\n\n[^-]/.exec(security)?.[1]?.split(/^- /m).slice(1) ?? [];
  expect(promises.length).toBeGreaterThan(7);
  const safety = /^Servers listen on [\s\S]*?\n\n/m.exec(readFileSync('README.md', 'utf8'))?.[0] ?? '';
  const unproved = [...promises, safety].filter((promise) => namedTests(promise).length === 0);
  expect(unproved).toEqual([]);
  const missing = [...promises, safety]
    .flatMap(namedTests)
    .filter(({ path, name }) => !existsSync(path) || !testNames(path).includes(name));
  expect(missing).toEqual([]);
});

/** Returns the names of the tests in a file; names of table tests contain their placeholders. */
function testNames(path: string): string[] {
  const calls = /\b(?:test|it)(?:\.\w+(?:\([^'"`]*?\))?)*\(\s*'([^'\n]+)'|\]\)\(\s*'([^'\n]+)'/g;
  return [...readFileSync(path, 'utf8').matchAll(calls)].map(([, name, ofTable]) => name ?? ofTable ?? '');
}
