import type { Facts } from '../../model/diagnosis/facts.ts';
import { agreedForecast } from '../../model/diagnosis/verdict.ts';
import type { Forecast } from '../../model/forecast/ahead.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Progress } from '../../model/progress.ts';
import type { UndoEntry } from '../../model/undo/entry.ts';
import type { FallbackOrigin, ZoneHold } from '../../model/zones/zone.ts';
import { deleteFallbackOrigin, readFallbackOrigin, setFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { countServedByDefault } from '../hostnames/served.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { loadSettings } from '../session/settings.ts';
import { stoppable } from '../session/stoppable.ts';
import { readHold, releaseHold, setHold } from '../zones/hold.ts';

/** A forecast, with the time at which its facts were gathered. */
export interface Foreseen {
  readonly forecast: Forecast;
  /** Time on the platform's clock, in milliseconds. */
  readonly now: number;
}

/** Settings of a zone that apply to all its hostnames. */
export interface ZoneSettings {
  readonly fallback: FallbackOrigin | undefined;
  readonly hold: ZoneHold;
}

/** Number of forecasts in each batch that a list receives. */
const forecastsPerBatch = 10;

export type FleetService = ReturnType<typeof fleetService>;

/** Returns the operations on all hostnames of a zone that panes use, bound to one session. The operations throw a Problem on failure. */
export function fleetService(session: Session) {
  return {
    /** Forecasts that panes have stored for the rest of the session, by zone. */
    foreseen: new Map(),
    /**
     * Yields forecasts of the renewal of every certificate, in batches. The forecasts are based on the current DNS, CAA records and
     * origins. Calls `tellTotal` with the number of hostnames.
     */
    async *forecast(zoneId: string, signal: AbortSignal, tellTotal: (total: number) => void) {
      const { gatherFleet } = await import('../forecast/forecast.ts');
      const reporter = {
        progress: ({ total }: Progress) => total !== undefined && tellTotal(total),
        warn: () => undefined,
      };
      let found: Foreseen[] = [];
      for await (const facts of gatherFleet(stoppable(session, signal), zoneId, noOtherPlaces, reporter)) {
        const foreseen = toForeseen(facts);
        if (foreseen !== undefined) found.push(foreseen);
        if (found.length < forecastsPerBatch) continue;
        yield found;
        found = [];
      }
      yield found;
    },
    /** Repeats the forecast for one hostname. Returns undefined if the platform does not renew the hostname's certificate. */
    async forecastOne(zoneId: string, record: CustomHostname, signal: AbortSignal) {
      const { gatherOne } = await import('../forecast/forecast.ts');
      return toForeseen(await gatherOne(stoppable(session, signal), zoneId, record, noOtherPlaces));
    },
    async readSettings(zoneId: string, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const [fallback, hold] = await Promise.all([
        readFallbackOrigin(until, zoneId),
        readHold(until, zoneId),
      ]);
      return { fallback, hold };
    },
    /**
     * Returns the number of hostnames that use the fallback origin; undefined if there are no such hostnames, or if the hostnames cannot be
     * read.
     */
    countServed: (zoneId: string, signal: AbortSignal) =>
      countServedByDefault(stoppable(session, signal), zoneId),
    /** Sets the fallback origin, or deletes it if `origin` is undefined. Returns the undo entry, if one was saved. */
    async setFallback(zoneId: string, origin: string | undefined, signal: AbortSignal) {
      const stopped = stoppable(session, signal);
      if (loadSettings(session.world).undo === 'on') return setOriginWithUndo(stopped, zoneId, origin);
      if (origin === undefined) await deleteFallbackOrigin(stopped, zoneId);
      else await setFallbackOrigin(stopped, zoneId, origin);
      return undefined;
    },
    hold: (zoneId: string, includeSubdomains: boolean, signal: AbortSignal) =>
      setHold(stoppable(session, signal), zoneId, includeSubdomains),
    /** Releases the hold for the given number of seconds, or permanently if `seconds` is omitted. */
    async release(
      zoneId: string,
      { subdomainsOnly, seconds }: { readonly subdomainsOnly: boolean; readonly seconds?: number },
      signal: AbortSignal,
    ) {
      const stopped = stoppable(session, signal);
      const until = seconds === undefined ? undefined : (await platformClock(stopped))() + seconds * 1000;
      return releaseHold(stopped, zoneId, { subdomainsOnly, until });
    },
  };
}

async function setOriginWithUndo(
  session: Session,
  zoneId: string,
  origin: string | undefined,
): Promise<UndoEntry | undefined> {
  const { deleteFallbackOriginWithUndo, setFallbackOriginWithUndo } = await import(
    '../undo/fallback-origins.ts'
  );
  const before = await readFallbackOrigin(session, zoneId);
  if (origin === undefined) return deleteFallbackOriginWithUndo(session, zoneId, before);
  return (await setFallbackOriginWithUndo(session, zoneId, before, origin)).entry;
}

function toForeseen(facts: Facts): Foreseen | undefined {
  const found = agreedForecast(facts);
  return found === undefined || found.outcome === 'none' ? undefined : { forecast: found, now: facts.now };
}

/** Options of a diagnosis with the default DNS servers and the zone's own target. */
const noOtherPlaces = { servers: [], target: undefined, probe: true };
