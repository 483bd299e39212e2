import { useEffect } from 'react';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { LookedAt } from '../../src/services/hostnames/watch.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { Looks } from './looks.ts';

interface LookOptions {
  /** Whether the pane is on the screen. */
  readonly active: boolean;
  readonly zone: Zone | undefined;
  /** What is in progress; while it is nothing, nothing is asked for. */
  readonly ids: readonly string[];
  readonly looks: Looks;
  found(found: readonly LookedAt[]): void;
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
        work: () => service.look(zone.id, ids),
        done: found,
        failed,
      });
    const timer = setTimeout(look, service.pause(looks.quiet));
    return () => clearTimeout(timer);
  }, [looking, ids.join(' '), looks.count]);
}
