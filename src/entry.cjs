#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
const argument = process.argv[2];
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(`edgectl needs Node 22.22 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && (argument === '--version' || argument === '-v')) {
  try {
    require('node:fs').writeSync(1, `${EDGECTL_VERSION}\n`);
  } catch {
    // A stream tells what is wrong; to make one takes an eighth of this start.
    process.stdout.write(`${EDGECTL_VERSION}\n`);
  }
} else {
  const { load, program } = require('./load.cjs');
  load(program);
}
