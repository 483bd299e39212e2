import { useEffect } from 'react';
import { isProblem, type Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { HostnameChange } from './commands.ts';
import type { Looks } from './looks.ts';
import type { HostnameRow, HostnameService } from './service.ts';

/** What a look has found: hostnames as they now are; without a row they are gone. */
export type LookedAt = readonly Pick<HostnameChange, 'id' | 'row'>[];

interface LookOptions {
  /** Whether the pane is on the screen. */
  readonly active: boolean;
  readonly zone: Zone | undefined;
  /** What is in progress; while it is nothing, nothing is asked for. */
  readonly ids: readonly string[];
  readonly looks: Looks;
  found(found: LookedAt): void;
  failed(problem: Problem): void;
}

/** Reads what is in progress again and again, as long as the pane is open. */
export function useLooks({ active, zone, ids, looks, found, failed }: LookOptions): void {
  const service = useService('hostnames');
  const run = useRun();
  const looking = active && !looks.ended && zone !== undefined && ids.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look begins another wait
  useEffect(() => {
    if (!looking) return;
    const look = () =>
      run({
        name: 'look',
        work: () => Promise.all(ids.map((id) => lookAt(service, zone.id, id))),
        done: found,
        failed,
      });
    const timer = setTimeout(look, service.pause(looks.quiet));
    return () => clearTimeout(timer);
  }, [looking, ids.join(' '), looks.count]);
}

async function lookAt(
  service: HostnameService,
  zoneId: string,
  id: string,
): Promise<{ readonly id: string; readonly row: HostnameRow | undefined }> {
  try {
    return { id, row: await service.read(zoneId, id) };
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found') return { id, row: undefined };
    throw error;
  }
}
