import { copyMarkedKeys, deleteKeys, expireKeys, exportKeys, importKeys } from './keys.ts';
import {
  copyMarkedObjects,
  deleteObjects,
  deleteWholeBucket,
  downloadMarked,
  uploadMarked,
} from './objects.ts';
import type { TaskOutcome, TaskRun } from './run.ts';

/** Does what a task is to do, by the same services as the command line. */
export function carryOut(run: TaskRun): Promise<TaskOutcome> {
  const { work } = run;
  switch (work.does) {
    case 'import-keys':
      return importKeys({ ...run, work });
    case 'export-keys':
      return exportKeys({ ...run, work });
    case 'delete-keys':
      return deleteKeys({ ...run, work });
    case 'expire-keys':
      return expireKeys({ ...run, work });
    case 'copy-keys':
      return copyMarkedKeys({ ...run, work });
    case 'upload':
      return uploadMarked({ ...run, work });
    case 'download':
      return downloadMarked({ ...run, work });
    case 'copy-objects':
      return copyMarkedObjects({ ...run, work });
    case 'delete-objects':
      return deleteObjects({ ...run, work });
    case 'delete-bucket':
      return deleteWholeBucket({ ...run, work });
  }
}
