import { useCallback, useMemo } from 'react';
import { formatPlaceName } from '../../src/model/where.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { escapeText } from '../../src/text/escape.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { Finder } from '../palette/Finder.tsx';
import { rankMatches } from '../palette/ranking.ts';
import { readFailures, sessionEntries } from './session-entries.ts';
import { SessionFinderController } from './session-finder-controller.ts';
import type { Opening } from './state.ts';

interface SessionFinderProps {
  readonly choice: SessionChoice;
  /** The name of the profile that the console was opened with. */
  readonly first: string;
  /** The choice that requires an account. */
  readonly of: SessionChoice | undefined;
  choose(opens: Opening): void;
  onClose(): void;
}

/** Draws the profiles, and the reachable accounts and zones, instead of the pane. */
export function SessionFinder({ choice, first, of, choose, onClose }: SessionFinderProps) {
  const parts = useConsole();
  const { session, notify } = parts;
  const { state } = useController(() => new SessionFinderController(parts, of));
  const entries = useMemo(
    () => sessionEntries(state, { name: formatPlaceName(session.where), first, choice: of ?? choice }),
    [state, session, first, of, choice],
  );
  const find = useCallback((search: string) => rankMatches(entries, search.trim()), [entries]);
  const isReading = of === undefined ? state.profiles === undefined : state.accounts === undefined;
  const reading = { busy: { kind: 'reading', words: 'reading' } as const };
  const [fault = ''] = readFailures(state);
  return (
    <Finder
      prompt={of === undefined ? 'act as: ' : 'in account: '}
      title={of === undefined ? 'Profile, account, zone' : 'Account'}
      situation={{ readOnly: session.readOnly, selected: true, ...(isReading && reading) }}
      find={find}
      counts={fault}
      take={(entry) => {
        if (entry.refusal === undefined) choose(entry.opens);
        else notify(`${escapeText(entry.text)}: ${entry.refusal}.`, 'refused');
      }}
      onClose={onClose}
    />
  );
}
