import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { HostnameCommand } from './commands.ts';
import type { EditedHostnames } from './edit-form.ts';
import type { FleetCommand, FleetPurpose, PreviewEdit } from './marked.ts';
import type { ZoneSettingsCommand, ZoneSettingsPurpose } from './zone-settings.ts';

/** The list of custom hostnames. */
export interface HostnameParts {
  readonly row: HostnameRow;
  readonly command: HostnameCommand | FleetCommand | PreviewEdit | ZoneSettingsCommand;
  readonly purpose: 'create' | 'edit' | FleetPurpose | ZoneSettingsPurpose;
  readonly subject: EditedHostnames | undefined;
}
