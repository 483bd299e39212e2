import { useEffect, useState } from 'react';
import { type Run, Runs } from './runs.ts';
import { useConsole } from './use-console.ts';

/** Runs service functions for a component. All are aborted when it unmounts. */
export function useRun(): <T>(run: Run<T>) => void {
  const { notes } = useConsole();
  const [runs] = useState(() => new Runs(notes));
  useEffect(() => () => runs.abortAll(), [runs]);
  return runs.start;
}
