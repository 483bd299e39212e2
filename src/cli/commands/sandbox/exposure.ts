import { isIP } from 'node:net';
import { nameFault, plainName } from '../../../model/dns/dns.ts';
import { isLoopback, plainHostsVariable } from '../../../model/loopback.ts';
import { Problem } from '../../../model/problem.ts';
import type { Exposure } from '../../../model/sandbox/exposure.ts';
import type { RunningSandbox } from '../../../services/sandbox/start-options.ts';

interface ExposureFlags {
  readonly listen: string | undefined;
  readonly 'allow-host': readonly string[];
}

/**
 * Parses --listen and --allow-host. If --listen opens the sandbox to other machines, --allow-host must specify the host names that these
 * machines use.
 */
export function parseExposure({ listen: address, 'allow-host': names }: ExposureFlags): Exposure | undefined {
  for (const name of names) checkHost(name);
  if (address === undefined && names.length === 0) return undefined;
  const hosts = names.map((name) => name.toLowerCase());
  if (address === undefined) return { address: '127.0.0.1', hosts };
  if (isIP(address) === 0) {
    throw new Problem('usage', `--listen requires an IP address, not "${address}".`, {
      hint: '0.0.0.0 listens on all addresses of this machine.',
    });
  }
  if (hosts.length === 0 && !isLoopback(address)) {
    throw new Problem(
      'usage',
      `--listen ${address} opens the sandbox to other machines, and therefore requires --allow-host NAME.`,
      {
        hint: 'NAME is the host name by which other machines reach this machine, such as the container name. Requests with other host names are refused.',
      },
    );
  }
  return { address, hosts };
}

function checkHost(name: string): void {
  if (/^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(name) || isIP(name) === 6) return;
  throw new Problem('usage', `--allow-host requires a host name, not "${name}".`, {
    hint: 'Omit the scheme, the port and the path: --allow-host sandbox.',
  });
}

/** Parses origins such as `app.saas.sandbox=3000`, and returns the ports by name. */
export function parseOrigins(given: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', port] = /^(.+)=(\d{1,5})$/.exec(text) ?? [];
      const fault = isIP(name) === 0 ? nameFault(plainName(name)) : undefined;
      if (fault === undefined && Number(port) >= 1 && Number(port) <= 65_535)
        return [plainName(name), Number(port)];
      throw new Problem('usage', `--origin requires NAME=PORT, not "${text}".`, {
        hint: 'For example: --origin app.saas.sandbox=3000, for a server on port 3000 of this machine.',
      });
    }),
  );
}

/** Describes how other machines reach the sandbox; empty if other machines cannot reach the sandbox. */
export function describeReach(exposure: Exposure | undefined, { ready }: RunningSandbox): readonly string[] {
  const [host] = exposure?.hosts ?? [];
  if (host === undefined) return [];
  const url = new URL(ready.apiBaseUrl);
  const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${url.port}${url.pathname}`;
  return [
    `Other machines reach the sandbox's API at ${address}. On those machines, edgectl requires ${plainHostsVariable}=${host}.`,
  ];
}
