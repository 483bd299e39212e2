import type { TaskContext, TaskOutcome } from './context.ts';
import { diagnoseHostnames, exportHostnames } from './hostname-reading.ts';
import { changeHostnames, reconcileHostnames } from './hostnames.ts';
import { copyMarkedKeys, deleteKeys, expireKeys, exportKeys, importKeys } from './keys.ts';
import {
  copyMarkedObjects,
  deleteObjects,
  deleteWholeBucket,
  downloadMarked,
  uploadMarked,
} from './objects.ts';
import { planHostnames } from './planning.ts';

/** Does the work of a task, by the same services as the command line. */
export function doWork(context: TaskContext): Promise<TaskOutcome> {
  const { work } = context;
  switch (work.does) {
    case 'import-keys':
      return importKeys({ ...context, work });
    case 'export-keys':
      return exportKeys({ ...context, work });
    case 'delete-keys':
      return deleteKeys({ ...context, work });
    case 'expire-keys':
      return expireKeys({ ...context, work });
    case 'copy-keys':
      return copyMarkedKeys({ ...context, work });
    case 'upload':
      return uploadMarked({ ...context, work });
    case 'download':
      return downloadMarked({ ...context, work });
    case 'copy-objects':
      return copyMarkedObjects({ ...context, work });
    case 'delete-objects':
      return deleteObjects({ ...context, work });
    case 'delete-bucket':
      return deleteWholeBucket({ ...context, work });
    case 'delete-hostnames':
    case 'refresh-hostnames':
    case 'edit-hostnames':
      return changeHostnames({ ...context, work });
    case 'diagnose-hostnames':
      return diagnoseHostnames({ ...context, work });
    case 'export-hostnames':
      return exportHostnames({ ...context, work });
    case 'plan-hostnames':
      return planHostnames({ ...context, work });
    case 'reconcile-hostnames':
      return reconcileHostnames({ ...context, work });
  }
}
