// Runs in `edgectl sandbox exec`: saves the variables of the sandbox, and keeps it running until a signal.
import { renameSync, writeFileSync } from 'node:fs';

const [, , file] = process.argv;
const names = Object.keys(process.env).filter((name) => /^(?:EDGECTL|CLOUDFLARE|CF|AWS|R2)_/.test(name));
const variables = Object.fromEntries(names.map((name) => [name, process.env[name]]));
writeFileSync(`${file}.new`, JSON.stringify(variables), { mode: 0o600 });
renameSync(`${file}.new`, file);
setInterval(() => undefined, 2 ** 30);
