'use strict';
// The first file of the standalone executable: gives Node the program's files, which are part of the executable.
const { createRequire, registerHooks } = require('node:module');
const { getAsset } = require('node:sea');
const { pathToFileURL } = require('node:url');

/** No file can lie below a file, so that none is taken for one of ours. */
const root = pathToFileURL(`${process.execPath}/`).href;

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = /^\.{1,2}\//.test(specifier) && context.parentURL?.startsWith(root);
    return isOurs
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith(root)) return next(url, context);
    const format = url.endsWith('.mjs') ? 'module' : 'commonjs';
    return { format, source: getAsset(url.slice(root.length), 'utf8'), shortCircuit: true };
  },
});

createRequire(`${root}executable`)('./edgectl.cjs');
