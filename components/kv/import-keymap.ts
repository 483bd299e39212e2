import { movement, writes, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';

export type ImportAction = Move | 'import' | 'import-valid' | 'refresh' | 'back';

function imports(situation: Situation): string | false {
  const { preview } = situation;
  if (preview?.isReading === true) return writes(situation) || 'Wait until the file has been compared';
  return writes(situation) || (preview?.changes === 0 && 'Nothing in it would change anything');
}

function importsAll(situation: Situation): string | false {
  const wrong = situation.preview?.wrong ?? 0;
  if (wrong === 0) return imports(situation);
  const words = wrong === 1 ? '1 entry is wrong' : `${wrong} entries are wrong`;
  return imports(situation) || `${words}: s imports the others`;
}

function importsOthers(situation: Situation): string | false {
  return imports(situation) || (situation.preview?.wrong === 0 && 'No entry is wrong: i imports them');
}

export const importKeymap: ReadonlyArray<Shortcut<ImportAction>> = [
  { press: ['enter', 'i'], label: 'import', about: 'Write its entries', does: 'import', unless: importsAll },
  {
    press: ['s'],
    label: 'import the others',
    about: 'Write its entries without the wrong ones',
    does: 'import-valid',
    unless: importsOthers,
    quietIn: ({ preview }) => (preview?.wrong ?? 0) === 0,
  },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Back to the keys; nothing is written',
    does: 'back',
    unless: writing,
  },
  { press: ['r'], label: 'reload', about: 'Read the file again', does: 'refresh' },
  ...movement,
];
