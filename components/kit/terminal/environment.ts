import process from 'node:process';

/**
 * Imported before everything else of the console: React takes its production build by NODE_ENV, and chalk its
 * colour level by FORCE_COLOR, both while they are being loaded. The themes use 256 colours at most, and a level keeps
 * bold and inverse where the reader wants no colours.
 */
const wanted: Readonly<Record<string, string>> = {
  NODE_ENV: process.env['NODE_ENV'] || 'production',
  FORCE_COLOR: '2',
};

const before = Object.keys(wanted).map((name) => [name, process.env[name]] as const);

for (const [name, value] of Object.entries(wanted)) process.env[name] = value;

/** Puts both variables back, so that an editor started later does not inherit them. */
export function restoreEnvironment(): void {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
