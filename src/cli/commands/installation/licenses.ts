import { readLicenses } from '../../../services/installation/licenses.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const licensesCommand = command<typeof declared.licenses>({
  async run({ output }) {
    await output.answer(await readLicenses());
    return 0;
  },
});
