import { useEffect, useState } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import type { Field } from './form-state.ts';

/** The names of a list beside which a form stands. */
export interface NamesBeside {
  /** Whether all of them have come. */
  isWhole(): boolean;
  /** Loaded names that begin with a string, enough to compute their common prefix. */
  loaded(beginning: string): readonly string[];
  /** Requests names that begin with a string from the platform: its first page. */
  read(beginning: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Milliseconds without a press after which the platform is asked. */
const pause = 300;

/**
 * The names that begin as what is typed, for a field that completes them: those that have come, and else what the platform
 * knows. It is asked while one pauses and not by Tab, which never waits; typing on ends that.
 */
export function useNamesBeside(field: Field | undefined, names: NamesBeside | undefined): readonly string[] {
  const { world } = useConsole();
  const [read, setRead] = useState<{ readonly beginning: string; readonly names: readonly string[] }>();
  const beginning = field?.completes === 'row' ? field.value : '';
  const loaded = beginning === '' ? [] : (names?.loaded(beginning) ?? []);
  const asked = names !== undefined && beginning !== '' && loaded.length === 0 && !names.isWhole() && names;
  useEffect(() => {
    if (asked === false) return undefined;
    const end = new AbortController();
    const look = async () => {
      await world.sleep(pause, end.signal);
      const found = await asked.read(beginning, end.signal);
      if (!end.signal.aborted) setRead({ beginning, names: found });
    };
    // What cannot be asked completes nothing.
    look().catch(() => undefined);
    return () => end.abort();
  }, [asked, beginning, world]);
  return loaded.length === 0 && read?.beginning === beginning ? read.names : loaded;
}
