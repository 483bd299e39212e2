// Removes unused parts of packages. This saves half of the startup time of a platform call, and a third of a megabyte of the package.
import { readFile } from 'node:fs/promises';

/** Characters that are one column wide next to any other character: Latin letters, arrows and box-drawing characters. */
export const narrow = [
  ...['\\u0020-\\u007E', '\\u00A1-\\u00AC', '\\u00AE-\\u02FF', '\\u2010-\\u2027', '\\u2030-\\u205E'],
  ...['\\u2190-\\u21FF', '\\u2500-\\u25FC', '\\u2713', '\\u2717'],
].join('');

/** Files of packages, and the replacements in these files. */
const lighter = [
  // edgectl uses HTTP/1.1; loading node:http2 takes 12 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]utils[\\/]http2-client\.js$/, [/^.*$/s, 'export default {};']],
  // Responses of a platform are never cached. Removing the cache removes keyv and five other packages.
  [
    /[\\/]cacheable-request[\\/]dist[\\/]index\.js$/,
    [/^.*$/s, 'export default class CacheableRequest {} export class CacheError extends Error {}'],
  ],
  // Ids of a diagnostics channel that nobody reads; loading node:crypto takes 6 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]diagnostics-channel\.js$/, [/\brandomUUID\(\)/, "''"]],
  // These formatters are used only for error messages that edgectl's calls never cause. They open ICU's data, which takes 15 ms.
  [
    /[\\/]got[\\/]node_modules[\\/]@sindresorhus[\\/]is[\\/]distribution[\\/]index\.js$/,
    [/const andFormatter = (new Intl\.ListFormat\([^;]*\));/, madeLate('andFormatter', 'format', '$1')],
    [/const orFormatter = (new Intl\.ListFormat\([^;]*\));/, madeLate('orFormatter', 'format', '$1')],
  ],
  // Decoding UTF-16 also needs ICU. Bodies are read as byte streams.
  [
    /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]response\.js$/,
    [/new TextDecoder\('utf-16le'\)/, "{ decode: (data) => new TextDecoder('utf-16le').decode(data) }"],
  ],
  // Asserts that the argument is a function; loading node:assert takes 4 ms.
  [/[\\/]signal-exit[\\/]index\.js$/, [/require\('assert'\)/, '{ equal() {} }']],
  // All supported Node versions have Zstandard. Loading node:zlib takes 3 ms, and happens only for a compressed
  // response.
  [
    /[\\/]decompress-response(?:[\\/]index)?\.js$/,
    [/typeof zlib\.createZstdDecompress === 'function'/, 'true'],
  ],
  // The configuration files have no schema and no migrations. The code for schemas and migrations would be a tenth of the package.
  [
    /[\\/]conf[\\/]dist[\\/]source[\\/]index\.js$/,
    [/import \{ Ajv2020 as Ajv \} from 'ajv[^']*';/, 'const Ajv = undefined;'],
    [/import ajvFormatsModule from 'ajv-formats';/, 'const ajvFormatsModule = undefined;'],
    [/import semver from 'semver';/, 'const semver = undefined;'],
  ],
  // edgectl does not use the support for React's developer tools.
  [/[\\/]ink[\\/]build[\\/]reconciler\.js$/, [/if \(process\.env\['DEV'\] === 'true'\) \{.*?\n\}\n/s, '']],
  // The original loads all of fetch, which takes 70 ms, to read bytes that the file itself contains.
  [
    /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    [/return w\|\|"function"!=typeof fetch\?/, 'return true?'],
  ],
  // Creating a segmenter takes 17 ms, and compiling the pattern of all emoji takes 16 ms. The console's first frame does not need the
  // segmenter or the pattern.
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

/** Replaces an object with one method by an object that is created when the method is first called. */
function madeLate(name, method, made) {
  return `let ${name}Made; const ${name} = { ${method}: (text) => (${name}Made ??= ${made}).${method}(text) };`;
}

/**
 * A plugin that removes unused parts of packages. The build fails if a package contains another copy of a replaced package, because the
 * replacement would have no effect, and the build would contain the package twice.
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
        if (missing.length > 0) return { errors: [{ text: `${path} no longer contains ${missing[0][0]}.` }] };
        done.add(filter);
        const contents = changes.reduce((changed, [text, instead]) => changed.replace(text, instead), source);
        return { contents, loader: 'js' };
      });
    }
    build.onEnd(() =>
      done.size === lighter.length
        ? undefined
        : { errors: [{ text: 'The files of a package have changed.' }] },
    );
  },
};
