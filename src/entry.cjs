#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
const argument = process.argv[2];
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(`edgectl needs Node 22.22 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && (argument === '--version' || argument === '-v')) {
  process.stdout.write(`${EDGECTL_VERSION}\n`);
} else {
  keepCompiledCode();
  require('./program.cjs').load('program.cjs');
}

/** In the user's own cache folder: in Node's default, a shared one, another user could put code of theirs. */
function keepCompiledCode() {
  const { HOME, XDG_CACHE_HOME } = process.env;
  const { isAbsolute } = require('node:path');
  const folder = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`].find((path) => path && isAbsolute(path));
  if (folder) require('node:module').enableCompileCache(`${folder}/edgectl`);
}
