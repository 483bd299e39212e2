import { useEffect, useState } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import type { Field } from './form-state.ts';

/** The names in the list behind a form. */
export interface ListNames {
  /** Returns whether all names are loaded. */
  isWhole(): boolean;
  /** Returns loaded names that begin with a string, at least enough to compute the common prefix of all matching names. */
  loaded(beginning: string): readonly string[];
  /** Requests from the platform the first page of names that begin with a string. */
  read(beginning: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Milliseconds without a press after which the platform is queried. */
const pauseMs = 300;

/**
 * Returns the names that begin with the text of a field that completes names: loaded names, or otherwise names from the platform. Queries
 * the platform when the user stops typing, not when the user presses Tab, because Tab must never wait. Further typing cancels the query.
 */
export function useListNames(field: Field | undefined, names: ListNames | undefined): readonly string[] {
  const { world } = useConsole();
  const [read, setRead] = useState<{ readonly beginning: string; readonly names: readonly string[] }>();
  const beginning = field?.completes === 'row' ? field.value : '';
  const loaded = beginning === '' ? [] : (names?.loaded(beginning) ?? []);
  const asked = names !== undefined && beginning !== '' && loaded.length === 0 && !names.isWhole() && names;
  useEffect(() => {
    if (asked === false) return undefined;
    const end = new AbortController();
    const readNames = async () => {
      await world.sleep(pauseMs, end.signal);
      const found = await asked.read(beginning, end.signal);
      if (!end.signal.aborted) setRead({ beginning, names: found });
    };
    // If the query fails, Tab completes nothing.
    readNames().catch(() => undefined);
    return () => end.abort();
  }, [asked, beginning, world]);
  return loaded.length === 0 && read?.beginning === beginning ? read.names : loaded;
}
