import { useCallback, useMemo } from 'react';
import { formatPlaceName } from '../../src/model/where.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { rankMatches } from '../../src/text/search/ranking.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { Finder } from '../palette/Finder.tsx';
import { readFailures, type SessionEntry, sessionEntries, sessionGroups } from './session-entries.ts';
import { SessionFinderController } from './session-finder-controller.ts';
import type { Opening } from './state.ts';

interface SessionFinderProps {
  readonly choice: SessionChoice;
  /** The name of the profile with which the console was opened. */
  readonly first: string;
  /** The choice that requires an account. */
  readonly of: SessionChoice | undefined;
  choose(opens: Opening): void;
  onClose(): void;
}

/** Returns the rank among equal matches: the current entry comes last; otherwise profiles come before accounts and zones. */
function distance({ isPresent = false, group }: SessionEntry): number {
  return (isPresent ? sessionGroups.length : 0) + sessionGroups.indexOf(group);
}

/** Replaces the pane with a searchable list of the profiles, and of the accounts and zones that the credentials can access. */
export function SessionFinder({ choice, first, of, choose, onClose }: SessionFinderProps) {
  const parts = useConsole();
  const { session, notify } = parts;
  const { state } = useController(() => new SessionFinderController(parts, of));
  const entries = useMemo(
    () => sessionEntries(state, { name: formatPlaceName(session.where), first, choice: of ?? choice }),
    [state, session, first, of, choice],
  );
  const find = useCallback((search: string) => rankMatches(entries, search, { distance }), [entries]);
  const isReading = of === undefined ? state.profiles === undefined : state.accounts === undefined;
  const reading = { busy: { kind: 'reading', words: 'reading' } as const };
  const [fault = ''] = readFailures(state);
  return (
    <Finder
      prompt={of === undefined ? 'act as: ' : 'in account: '}
      title={of === undefined ? 'Profile, account, zone' : 'Account'}
      situation={{ readOnly: session.readOnly, selected: true, ...(isReading && reading) }}
      find={find}
      remark={fault}
      explain={(search) => [`No profile, account or zone matches "${search.trim()}".`]}
      take={(entry) => {
        if (entry.isPresent !== true) choose(entry.opens);
        else notify(`You are already using ${entry.name}.`, 'refused');
      }}
      onClose={onClose}
    />
  );
}
