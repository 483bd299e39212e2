// Removes unused parts of packages: half of the start of a platform's call, and a third of a megabyte of the package.
import { readFile } from 'node:fs/promises';

/** Characters of one column each, whatever their neighbours: Latin letters, arrows and the lines of boxes. */
export const narrow = [
  ...['\\u0020-\\u007E', '\\u00A1-\\u00AC', '\\u00AE-\\u02FF', '\\u2010-\\u2027', '\\u2030-\\u205E'],
  ...['\\u2190-\\u21FF', '\\u2500-\\u25FC', '\\u2713', '\\u2717'],
].join('');

/** Files of packages, and their replacements. */
const lighter = [
  // We speak HTTP/1.1; node:http2 takes 12 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]utils[\\/]http2-client\.js$/, [/^.*$/s, 'export default {};']],
  // No answer of a platform is cached. This removes keyv and five others.
  [
    /[\\/]cacheable-request[\\/]dist[\\/]index\.js$/,
    [/^.*$/s, 'export default class CacheableRequest {} export class CacheError extends Error {}'],
  ],
  // The ids of a diagnostics channel that nobody reads; node:crypto takes 6 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]diagnostics-channel\.js$/, [/\brandomUUID\(\)/, "''"]],
  // For sentences that no call of ours ends in: to open ICU's data takes 15 ms.
  [
    /[\\/]got[\\/]node_modules[\\/]@sindresorhus[\\/]is[\\/]distribution[\\/]index\.js$/,
    [/const andFormatter = (new Intl\.ListFormat\([^;]*\));/, madeLate('andFormatter', 'format', '$1')],
    [/const orFormatter = (new Intl\.ListFormat\([^;]*\));/, madeLate('orFormatter', 'format', '$1')],
  ],
  // UTF-16 is ICU's too. Bodies are read as streams of bytes.
  [
    /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]response\.js$/,
    [/new TextDecoder\('utf-16le'\)/, "{ decode: (data) => new TextDecoder('utf-16le').decode(data) }"],
  ],
  // It asserts that it was given a function; node:assert takes 4 ms.
  [/[\\/]signal-exit[\\/]index\.js$/, [/require\('assert'\)/, '{ equal() {} }']],
  // Every Node that we run on has it; node:zlib takes 3 ms, and is loaded where an answer is compressed.
  [
    /[\\/]decompress-response(?:[\\/]index)?\.js$/,
    [/typeof zlib\.createZstdDecompress === 'function'/, 'true'],
  ],
  // Our files have no schema and no migrations: their parts would be a tenth of all that is shipped.
  [
    /[\\/]conf[\\/]dist[\\/]source[\\/]index\.js$/,
    [/import \{ Ajv2020 as Ajv \} from 'ajv[^']*';/, 'const Ajv = undefined;'],
    [/import ajvFormatsModule from 'ajv-formats';/, 'const ajvFormatsModule = undefined;'],
    [/import semver from 'semver';/, 'const semver = undefined;'],
  ],
  // What shows React's tree to its developers.
  [/[\\/]ink[\\/]build[\\/]reconciler\.js$/, [/if \(process\.env\['DEV'\] === 'true'\) \{.*?\n\}\n/s, '']],
  // It would load all of fetch, 70 ms, to read the bytes that are in the file itself.
  [
    /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    [/return w\|\|"function"!=typeof fetch\?/, 'return true?'],
  ],
  // A segmenter takes 17 ms and the pattern of all emoji 16; what the console draws first needs neither.
  [
    /[\\/]string-width[\\/]index\.js$/,
    [/const segmenter = (new Intl\.Segmenter\(\));/, madeLate('segmenter', 'segment', '$1')],
    [/const rgiEmojiRegex = (\/.*\/v);/, madeLate('rgiEmojiRegex', 'test', '$1')],
    [
      /\/\^\[\\u0020-\\u007E\]\*\$\/(?=\.test\(string\))/,
      `(ambiguousIsNarrow ? /^[${narrow}]*$/ : /^[ -~]*$/)`,
    ],
  ],
  [
    /[\\/]slice-ansi[\\/]tokenize-ansi\.js$/,
    [
      /const GRAPHEME_SEGMENTER = (new Intl\.Segmenter\([^;]*\));/,
      madeLate('GRAPHEME_SEGMENTER', 'segment', '$1'),
    ],
  ],
  [
    /[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/,
    [/const segmenter = (new Intl\.Segmenter\([^;]*\));/, madeLate('segmenter', 'segment', '$1')],
  ],
  [
    /[\\/]wrap-ansi[\\/]index\.js$/,
    [/const segmenter = (new Intl\.Segmenter\(\));/, madeLate('segmenter', 'segment', '$1')],
  ],
];

/** Something with one method that is made where that is first called. */
function madeLate(name, method, made) {
  return `let ${name}Made; const ${name} = { ${method}: (text) => (${name}Made ??= ${made}).${method}(text) };`;
}

/**
 * Fails the build if a package has its own copy elsewhere: nothing would be replaced, at twice the price.
 *
 * @type {import('esbuild').Plugin}
 */
export const lighterPackages = {
  name: 'lighter-packages',
  setup(build) {
    const done = new Set();
    for (const [filter, ...changes] of lighter) {
      build.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const missing = changes.filter(([text]) => !text.test(source));
        if (missing.length > 0) return { errors: [{ text: `${path} has no ${missing[0][0]} any more.` }] };
        done.add(filter);
        const contents = changes.reduce((changed, [text, instead]) => changed.replace(text, instead), source);
        return { contents, loader: 'js' };
      });
    }
    build.onEnd(() =>
      done.size === lighter.length
        ? undefined
        : { errors: [{ text: 'A package is made of other files now.' }] },
    );
  },
};
