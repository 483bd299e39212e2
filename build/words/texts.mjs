import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { habits } from './habits.mjs';

/** Folders and files that contain text for people. */
const roots = ['src', 'components', 'test', 'bench', 'build', 'docs', 'examples', '.'];

/** Paths that are not checked: text written by others, and files that contain the list of words. */
const skipped =
  /(?:^|\/)(?:node_modules|dist|dist-executable|schema|pictures|\.git)(?:\/|$)|^(?:THIRD-PARTY-NOTICES|docs\/glossary\.md|build\/words\/habits\.mjs|test\/words\.test\.ts)$/;

/** Returns the files with text: the files below the given paths, or all files. */
export function textFiles(paths) {
  const files = (paths.length > 0 ? paths : roots).flatMap((path) => {
    if (statSync(path).isFile()) return [path];
    const isTop = path === '.';
    return readdirSync(path, { recursive: !isTop, encoding: 'utf8' }).map((name) =>
      isTop ? name : join(path, name),
    );
  });
  return files.filter((file) => /\.(?:ts|tsx|mjs|cjs|md)$/.test(file) && !skipped.test(file)).sort();
}

/** Returns the sentences of a file, from comments and from strings with at least three words, or from a document. */
export function textsIn(file, source) {
  return (file.endsWith('.md') ? prose(source) : commentsAndStrings(file, source)).flatMap(
    ({ kind, line, text }) => sentencesIn(text).map((sentence) => ({ file, line, kind, text: sentence })),
  );
}

/** Returns the listed words in a sentence. */
export function habitsIn({ text }) {
  return habits.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(([words]) => ({ words, instead })),
  );
}

export function wordsIn(text) {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

function sentencesIn(text) {
  return text
    .split(/(?<=[.!?:])\s+(?=[\p{Lu}`"'(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsIn(sentence) > 2);
}

/** Returns the paragraphs, list items and table cells of a document, without code. */
function prose(source) {
  const found = [];
  let isCode = false;
  let open;
  source.split('\n').forEach((raw, index) => {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      isCode = !isCode;
      open = undefined;
      return;
    }
    const text = raw
      .replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/`[^`]*`/g, 'CODE')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .trim();
    if (isCode || text === '' || /^\|[\s|:-]+\|$/.test(text)) {
      open = undefined;
      return;
    }
    const line = index + 1;
    if (text.startsWith('|')) {
      for (const cell of text.split('|'))
        if (cell.trim() !== '') found.push({ kind: 'documents', line, text: cell.trim() });
      open = undefined;
    } else if (open === undefined || /^(?:[-*#]|\d+\.)/.test(text)) {
      open = { kind: 'documents', line, text: text.replace(/^(?:[-*#]+|\d+\.)\s*/, '') };
      found.push(open);
    } else {
      open.text += ` ${text}`;
    }
  });
  return found;
}

function commentsAndStrings(file, source) {
  const { program, comments } = parseSync(file, source, { preserveParens: false });
  const lineAt = lineFinder(source);
  return [...joinedComments(comments, source, lineAt), ...strings(program, lineAt)];
}

/** Returns the comments of a program. Consecutive `//` lines are one comment. */
function joinedComments(comments, source, lineAt) {
  const found = [];
  let before;
  for (const { type, value, start, end } of comments) {
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
      .join(' ')
      .replaceAll(/`[^`]*`/g, 'CODE')
      .trim();
    const continues =
      type === 'Line' && before !== undefined && source.slice(before.end, start).trim() === '';
    if (continues) before.text += ` ${text}`;
    else {
      before = { kind: 'comments', line: lineAt(start), text, end };
      found.push(before);
    }
    before.end = end;
    if (type !== 'Line') before = undefined;
  }
  return found.filter(({ text }) => !/^(?:biome-ignore|@ts-|v8 ignore)/.test(text));
}

/** Returns the string literals anywhere in the code, and the templates with `…` instead of values. */
function strings(program, lineAt) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (node !== null && typeof node === 'object') {
      if (/^(?:Import|Export(?:All|Named))/.test(node.type) && node.source) return visit(node.declaration);
      if (node.type === 'Literal' && typeof node.value === 'string') {
        found.push({ kind: 'strings', line: lineAt(node.start), text: node.value });
      } else if (node.type === 'TemplateLiteral') {
        const text = node.quasis.map(({ value }) => value.cooked ?? '').join('…');
        found.push({ kind: 'strings', line: lineAt(node.start), text });
      }
      for (const [name, value] of Object.entries(node)) if (name !== 'type') visit(value);
    }
  };
  visit(program.body);
  return found;
}

function lineFinder(source) {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
