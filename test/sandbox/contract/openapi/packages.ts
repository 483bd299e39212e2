import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Packages that contain the provider's OpenAPI document, or files generated from the document, and the data that is read from each. */
const wanted = {
  declarations: {
    name: 'cloudflare-bread@0.2.1',
    says: 'answers: the types that openapi-typescript generated from the provider’s whole OpenAPI document (BSD-3-Clause) on 2023-05-22; MIT',
  },
  program: {
    name: 'cf@0.0.5',
    says: 'query parameters: from the provider’s own command line, which is generated from its OpenAPI document; 2026-07-05, MIT',
  },
  client: {
    name: '@distilled.cloud/cloudflare@0.30.3',
    says: 'query parameters, headers and fields, and the error codes that the package’s authors got from the platform, for each call; 2026, Apache-2.0',
  },
} as const;

const embedded =
  'answers of namespaces, buckets and lists: from the part of the OpenAPI document that Miniflare serves; version and date of the installed package, MIT';

interface Packages extends Readonly<Record<keyof typeof wanted, string>>, Disposable {
  readonly sources: Readonly<Record<string, string>>;
}

/** Downloads the packages into a folder that is deleted afterwards. Does not run their code. */
export function fetchPackages(): Packages {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const unpack = (part: keyof typeof wanted): string => {
    const place = join(folder, part);
    mkdirSync(place);
    const run = (file: string, ...given: string[]) =>
      execFileSync(file, given, { cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    run('tar', 'xzf', run('npm', 'pack', '--silent', wanted[part].name).trim());
    return join(place, 'package');
  };
  return {
    declarations: unpack('declarations'),
    program: unpack('program'),
    client: unpack('client'),
    sources: {
      ...Object.fromEntries(Object.values(wanted).map(({ name, says }) => [name, says])),
      miniflare: embedded,
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
