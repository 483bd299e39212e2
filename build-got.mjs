// Takes out of got what loads modules of Node's that no call of ours needs: half of what a call of a platform takes to start.
import { readFile } from 'node:fs/promises';

/** Files of got and its parts, and what stands in them instead. */
const lighter = [
  // We speak HTTP/1.1; node:http2 takes 12 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]utils[\\/]http2-client\.js$/, /^.*$/s, 'export default {};'],
  // The ids of a diagnostics channel that nobody reads; node:crypto takes 6 ms.
  [/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]diagnostics-channel\.js$/, /\brandomUUID\(\)/, "''"],
  // Every Node that we run on has it; node:zlib takes 3 ms, and is loaded where an answer is compressed.
  [
    /[\\/]decompress-response(?:[\\/]index)?\.js$/,
    /typeof zlib\.createZstdDecompress === 'function'/,
    'true',
  ],
];

/**
 * Fails the build where got has its own elsewhere: calls would be as they were, at twice the price.
 * @type {import('esbuild').Plugin}
 */
export const lighterGot = {
  name: 'lighter-got',
  setup(build) {
    const done = new Set();
    for (const [filter, text, instead] of lighter) {
      build.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!text.test(source)) return { errors: [{ text: `${path} has no ${text} any more.` }] };
        done.add(filter);
        return { contents: source.replace(text, instead), loader: 'js' };
      });
    }
    build.onEnd(() =>
      done.size === lighter.length ? undefined : { errors: [{ text: 'got is made of other files now.' }] },
    );
  },
};
