import type { PaneAction } from '../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult } from '../ui/forms/dialog.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import { type DoctorContent, examineWork } from './doctor-view.ts';

/** The actions of the doctor. */
export const doctorActions: ReadonlyArray<PaneAction<PaneParts, ActionResult<ViewOutcome<DoctorContent>>>> = [
  {
    does: 'next',
    press: ['tab'],
    label: 'next fault',
    about: 'Go to the next error or warning',
    unless: noSelection,
  },
  { does: 'copy', press: ['y'], label: 'copy', about: 'Copy the selected line', unless: noSelection },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Repeat all checks',
    run: (parts) => examineWork(parts),
  },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Go back to where you were' },
  ...moveShortcuts,
];
