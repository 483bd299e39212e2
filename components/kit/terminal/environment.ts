import process from 'node:process';

/**
 * Must be imported before the rest of the console: React chooses its production build by NODE_ENV and chalk its colour level by
 * FORCE_COLOR, both while they are loaded. The themes use at most 256 colours. A fixed level also keeps bold and inverse when the
 * user wants no colours.
 */
const overrides: Readonly<Record<string, string>> = {
  NODE_ENV: process.env['NODE_ENV'] || 'production',
  FORCE_COLOR: '2',
};

const originalValues = Object.keys(overrides).map((name) => [name, process.env[name]] as const);

for (const [name, value] of Object.entries(overrides)) process.env[name] = value;

/** Restores both variables for editors that are started later. */
export function restoreEnvironment(): void {
  for (const [name, value] of originalValues) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
