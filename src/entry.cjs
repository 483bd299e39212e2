#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
const argument = process.argv[2];
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(`edgectl needs Node 22.22 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length !== 3 || !['--version', '-v'].includes(argument) || !writesVersion()) {
  const { load, program } = require('./load.cjs');
  load(program);
}

/**
 * Writes the version, and returns whether this succeeded. If it fails, the program starts as usual, fails again, and reports the error like
 * a failure of any other output.
 */
function writesVersion() {
  try {
    require('node:fs').writeSync(1, `${EDGECTL_VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}
