import type { Step } from '../../model/diagnosis/fix-plan.ts';
import { readFallbackOrigin, setFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { editHostname, refreshHostname } from '../hostnames/hostnames.ts';
import type { Pacer } from '../hostnames/pacer.ts';
import { noteRefresh } from '../hostnames/refresh.ts';
import type { Session } from '../session/session.ts';
import { writeZoneRecord } from '../zones/zones.ts';

/** Seconds for which a new fallback origin is waited for. */
const deploymentSeconds = 60;

/** Does one step of a plan. Refuses as the platform does. Waits where the next step needs it, and where the rate does. */
export async function applyStep(session: Session, zoneId: string, step: Step, pacer: Pacer): Promise<void> {
  switch (step.kind) {
    case 'dns-record': {
      const { kind: _kind, ...record } = step.fix;
      await writeZoneRecord(session, zoneId, record);
      return;
    }
    case 'set-fallback':
      await setFallbackOrigin(session, zoneId, step.origin);
      return untilDeployed(session, zoneId);
    case 'create':
      await pacer.create({ hostname: step.hostname, ...(step.branding && { branding: true }) });
      return;
    case 'edit': {
      const { record, authority, method } = step;
      await editHostname(session, zoneId, record, { authority, method });
      return noteRefresh(session, zoneId, record.id);
    }
    case 'refresh':
      await refreshHostname(session, zoneId, step.record);
      return noteRefresh(session, zoneId, step.record.id);
  }
}

/** Validation looks at the fallback origin, so it has to be in use before a hostname is refreshed. */
async function untilDeployed(session: Session, zoneId: string): Promise<void> {
  const { world } = session;
  for (let seconds = 0; seconds < deploymentSeconds; seconds += 1) {
    const fallback = await readFallbackOrigin(session, zoneId);
    if (!['initializing', 'pending_deployment'].includes(fallback?.status ?? '')) return;
    await world.sleep(1000, world.interrupted);
  }
}
