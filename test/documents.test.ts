import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Every document of the project. */
const documents = globSync('**/*.md', { exclude: ['node_modules', 'dist*', '.*'] });

/** Where the links of a document lead to within the project, beside itself: `docs/keys.md#every-pane`. */
function linksOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a document's headings, as they are shown on the web. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

test('every link between the documents leads to something that is there', () => {
  expect(documents).toContain('README.md');
  const dead = documents.flatMap((path) =>
    linksOf(path)
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      })
      .map((link) => `${path} -> ${link}`),
  );
  expect(dead).toEqual([]);
});
