import process from 'node:process';

/**
 * Must be imported before the rest of the console: when they are loaded, React chooses its build based on NODE_ENV, and chalk chooses its
 * color level based on FORCE_COLOR. Level 2 means 256 colors, the most that a theme uses. With a fixed level, bold and inverse also work if
 * the user wants no colors.
 */
const overrides: Readonly<Record<string, string>> = {
  NODE_ENV: process.env['NODE_ENV'] || 'production',
  FORCE_COLOR: '2',
};

const originalValues = Object.keys(overrides).map((name) => [name, process.env[name]] as const);

for (const [name, value] of Object.entries(overrides)) process.env[name] = value;

/** Restores both variables, which editors inherit. */
export function restoreEnvironment(): void {
  for (const [name, value] of originalValues) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
