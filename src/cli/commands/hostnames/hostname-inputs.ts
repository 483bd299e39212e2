import {
  type AuthorityChoice,
  certificateAuthorities,
  type ValidationMethod,
  validationMethods,
} from '../../../model/hostnames/hostname.ts';
import { minimumTlsVersions } from '../../../model/hostnames/settings.ts';
import { isObject } from '../../../model/json-object.ts';
import { Problem } from '../../../model/problem.ts';
import { type HostnameInput, wireHostname } from '../../../services/hostnames/body.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { unknownWordProblem } from '../../parsing/one-of.ts';
import type { attributeFlags } from './flags.ts';

/** Parses the flags for the attributes of a hostname. Before a request is sent, refuses values that the platform does not support. */
export function parseHostnameInputs(flags: FlagValues<typeof attributeFlags>): HostnameInput {
  if (flags.type !== undefined && flags.type !== 'dv') {
    throw new Problem('usage', `--type must be dv, the only certificate type, not "${flags.type}".`);
  }
  const { origin } = flags;
  return {
    ...(flags.method !== undefined && { method: parseMethod(flags.method, '--method') }),
    ...(flags.ca !== undefined && { authority: parseAuthority(flags.ca, '--ca') }),
    ...(flags.branding && { branding: true }),
    ...(flags['min-tls'] !== undefined && { minimumTls: parseMinimumTls(flags['min-tls']) }),
    ...(flags.wildcard && { wildcard: true }),
    ...(origin !== undefined && { origin: origin === '' ? '' : wireHostname(origin) }),
    ...(flags['origin-sni'] !== undefined && { originSni: flags['origin-sni'] }),
    ...(flags.metadata !== undefined && { metadata: parseMetadata(flags.metadata) }),
  };
}

function parseMethod(text: string, from: string): ValidationMethod {
  const found = validationMethods.find((method) => method === text.toLowerCase());
  if (found !== undefined) return found;
  throw unknownWordProblem(from, text, validationMethods);
}

function parseMinimumTls(text: string): string {
  if (minimumTlsVersions.some((version) => version === text)) return text;
  throw unknownWordProblem('--min-tls', text, minimumTlsVersions);
}

/** Parses the name of a certificate authority, written with hyphens or underscores. */
export function parseAuthority(text: string, from: string): AuthorityChoice {
  const plain = text.toLowerCase().replaceAll('-', '_').replaceAll("'", '');
  const choices: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];
  const found = choices.find((choice) => choice === (plain === '' ? 'default' : plain));
  if (found !== undefined) return found;
  throw unknownWordProblem(from, text, choices);
}

function parseMetadata(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid-input', `--metadata is not JSON: ${(error as Error).message}.`, {
      cause: error,
      hint: `Quote the JSON for the shell: --metadata '{"plan":"pro"}'`,
    });
  }
  if (isObject(value)) return { ...value };
  throw new Problem('invalid-input', '--metadata must be a JSON object, for example {"plan":"pro"}.');
}
