import type { Platform } from '../http/exchange.ts';
import { runInTurn } from './run.ts';

/**
 * Removes all custom hostnames, all DNS records and entries, all settings (including the clock), and all zones except the sandbox's own
 * zone. Returns the number of hostnames.
 */
export function removeHostnames(platform: Platform): Promise<number> {
  return runInTurn(platform, async () => {
    const { hostnames, zones, dnsRecords, dnsEntries, settings, zoneId } = platform.registry();
    const count = hostnames.list().length;
    hostnames.clear();
    for (const { id } of zones.list()) {
      dnsRecords.removeZone(id);
      if (id !== zoneId()) zones.remove(id);
    }
    zones.setHold(zoneId(), { hold: false, includeSubdomains: false });
    zones.setFallback(zoneId(), undefined);
    dnsEntries.clear();
    settings.clear();
    return count;
  });
}
