import { useEffect, useReducer } from 'react';
import type { IssuanceWindow } from '../../src/model/hostnames/issuance.ts';
import { useConsole } from '../console/use-console.ts';
import { gaugeChange } from './zone-line.ts';

/** Draws a component again whenever the issuance gauge shows something else, while it is on the screen. */
export function useGauge(issuance: IssuanceWindow | undefined, active: boolean): void {
  const { world } = useConsole();
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick waits for the next
  useEffect(() => {
    const wait = active && issuance !== undefined ? gaugeChange(issuance, world.now()) : undefined;
    if (wait === undefined) return;
    const timer = setTimeout(tick, wait);
    return () => clearTimeout(timer);
  }, [issuance, active, ticks]);
}
