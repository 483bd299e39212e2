import { type CommandRow, row } from '../parsing/command.ts';
import { commandTree } from '../parsing/tree.ts';
import { completion } from './completion/declarations.ts';
import * as hostnames from './hostnames/declarations.ts';
import * as fleet from './hostnames/fleet/declarations.ts';
import * as bulk from './kv/bulk-declarations.ts';
import * as kv from './kv/declarations.ts';
import * as objects from './objects/declarations.ts';
import * as sandbox from './sandbox/declarations.ts';
import * as traffic from './sandbox/traffic-declarations.ts';
import * as session from './session/declarations.ts';
import * as undo from './undo/declarations.ts';
import * as workers from './workers/declarations.ts';
import * as worker from './workers/worker-declarations.ts';
import * as zones from './zones/declarations.ts';

/** Every command, as it is declared, and where what it does is loaded from. */
export const commandTable: readonly CommandRow[] = [
  row(session.openConsole, async () => (await import('./session/console.ts')).consoleCommand),
  row(sandbox.demo, async () => (await import('./sandbox/demo.ts')).demoCommand),
  row(kv.namespaceCreate, async () => (await import('./kv/namespace.ts')).createCommand),
  row(kv.namespaceList, async () => (await import('./kv/namespace.ts')).listCommand),
  row(kv.namespaceRename, async () => (await import('./kv/namespace.ts')).renameCommand),
  row(kv.namespaceDelete, async () => (await import('./kv/namespace.ts')).deleteCommand),
  row(kv.namespaceClear, async () => (await import('./kv/clear.ts')).clearCommand),
  row(kv.keyPut, async () => (await import('./kv/key.ts')).putCommand),
  row(kv.keyList, async () => (await import('./kv/key.ts')).listCommand),
  row(kv.keyGet, async () => (await import('./kv/key.ts')).getCommand),
  row(kv.keyDelete, async () => (await import('./kv/key.ts')).deleteCommand),
  row(kv.keyDiff, async () => (await import('./kv/key-diff.ts')).diffCommand),
  row(bulk.bulkPut, async () => (await import('./kv/bulk.ts')).putCommand),
  row(bulk.bulkGet, async () => (await import('./kv/bulk.ts')).getCommand),
  row(bulk.bulkDelete, async () => (await import('./kv/bulk.ts')).deleteCommand),
  row(bulk.kvExport, async () => (await import('./kv/export.ts')).exportCommand),
  row(bulk.kvCopy, async () => (await import('./kv/copy.ts')).copyCommand),
  row(bulk.kvDiff, async () => (await import('./kv/diff.ts')).diffCommand),
  row(workers.secretPut, async () => (await import('./workers/secret.ts')).putCommand),
  row(workers.secretList, async () => (await import('./workers/secret.ts')).listCommand),
  row(workers.secretDelete, async () => (await import('./workers/secret.ts')).deleteCommand),
  row(workers.secretBulk, async () => (await import('./workers/secret.ts')).bulkCommand),
  row(worker.workerTail, async () => (await import('./workers/tail.ts')).tailCommand),
  row(workers.deploy, async () => (await import('./workers/deploy.ts')).deployCommand),
  row(objects.bucketCreate, async () => (await import('./objects/bucket.ts')).createCommand),
  row(objects.bucketList, async () => (await import('./objects/bucket.ts')).listCommand),
  row(objects.bucketGet, async () => (await import('./objects/bucket.ts')).getCommand),
  row(objects.bucketDelete, async () => (await import('./objects/bucket-delete.ts')).deleteCommand),
  row(objects.objectPut, async () => (await import('./objects/put.ts')).putCommand),
  row(objects.objectGet, async () => (await import('./objects/get.ts')).getCommand),
  row(objects.objectList, async () => (await import('./objects/list.ts')).listCommand),
  row(objects.objectCopy, async () => (await import('./objects/copy.ts')).copyCommand),
  row(objects.objectPresign, async () => (await import('./objects/presign.ts')).presignCommand),
  row(objects.objectDelete, async () => (await import('./objects/delete.ts')).deleteCommand),
  row(objects.objectSync, async () => (await import('./objects/sync.ts')).syncCommand),
  row(hostnames.hostnameList, async () => (await import('./hostnames/list.ts')).listCommand),
  row(hostnames.hostnameGet, async () => (await import('./hostnames/list.ts')).getCommand),
  row(hostnames.hostnameCreate, async () => (await import('./hostnames/create.ts')).createCommand),
  row(fleet.hostnameEdit, async () => (await import('./hostnames/edit.ts')).editCommand),
  row(fleet.hostnameRefresh, async () => (await import('./hostnames/edit.ts')).refreshCommand),
  row(fleet.hostnameDelete, async () => (await import('./hostnames/delete.ts')).deleteCommand),
  row(hostnames.hostnameWatch, async () => (await import('./hostnames/watch.ts')).watchCommand),
  row(hostnames.hostnameQuota, async () => (await import('./hostnames/list.ts')).quotaCommand),
  row(hostnames.hostnameDiagnose, async () => (await import('./hostnames/diagnose.ts')).diagnoseCommand),
  row(hostnames.hostnameForecast, async () => (await import('./hostnames/forecast.ts')).forecastCommand),
  row(
    hostnames.hostnameExportWorld,
    async () => (await import('./hostnames/forecast.ts')).exportWorldCommand,
  ),
  row(
    hostnames.hostnameImportWorld,
    async () => (await import('./hostnames/forecast.ts')).importWorldCommand,
  ),
  row(
    hostnames.hostnameInstructions,
    async () => (await import('./hostnames/instructions.ts')).instructionsCommand,
  ),
  row(fleet.hostnameExport, async () => (await import('./hostnames/fleet/export.ts')).exportCommand),
  row(fleet.hostnameReconcile, async () => (await import('./hostnames/fleet/reconcile.ts')).reconcileCommand),
  row(hostnames.fallbackOriginGet, async () => (await import('./hostnames/fallback-origin.ts')).getCommand),
  row(hostnames.fallbackOriginSet, async () => (await import('./hostnames/fallback-origin.ts')).setCommand),
  row(
    hostnames.fallbackOriginDelete,
    async () => (await import('./hostnames/fallback-origin.ts')).deleteCommand,
  ),
  row(zones.zoneList, async () => (await import('./zones/record.ts')).zoneListCommand),
  row(zones.recordList, async () => (await import('./zones/record.ts')).recordListCommand),
  row(zones.recordSet, async () => (await import('./zones/record.ts')).recordSetCommand),
  row(zones.recordDelete, async () => (await import('./zones/record.ts')).recordDeleteCommand),
  row(zones.holdGet, async () => (await import('./zones/hold.ts')).getCommand),
  row(zones.holdSet, async () => (await import('./zones/hold.ts')).setCommand),
  row(zones.holdRelease, async () => (await import('./zones/hold.ts')).releaseCommand),
  row(workers.dev, async () => (await import('./workers/dev.ts')).devCommand),
  row(workers.init, async () => (await import('./workers/init.ts')).initCommand),
  row(session.profileAdd, async () => (await import('./session/profile.ts')).addCommand),
  row(session.profileLogin, async () => (await import('./session/profile.ts')).loginCommand),
  row(session.profileList, async () => (await import('./session/profile.ts')).listCommand),
  row(session.profileUse, async () => (await import('./session/profile.ts')).useCommand),
  row(session.profileBind, async () => (await import('./session/profile.ts')).bindCommand),
  row(session.profileUnbind, async () => (await import('./session/profile.ts')).unbindCommand),
  row(session.profileRemove, async () => (await import('./session/profile.ts')).removeCommand),
  row(session.whoami, async () => (await import('./session/whoami.ts')).whoamiCommand),
  row(session.doctor, async () => (await import('./session/doctor.ts')).doctorCommand),
  row(undo.undoList, async () => (await import('./undo/undo.ts')).listCommand),
  row(undo.undoShow, async () => (await import('./undo/undo.ts')).showCommand),
  row(undo.undoRestore, async () => (await import('./undo/undo.ts')).restoreCommand),
  row(undo.undoPurge, async () => (await import('./undo/undo.ts')).purgeCommand),
  row(session.settingList, async () => (await import('./session/setting.ts')).listCommand),
  row(session.settingGet, async () => (await import('./session/setting.ts')).getCommand),
  row(session.settingSet, async () => (await import('./session/setting.ts')).setCommand),
  row(session.settingUnset, async () => (await import('./session/setting.ts')).unsetCommand),
  row(completion, async () => (await import('./completion/completion.ts')).completionCommand),
  row(sandbox.sandboxStart, async () => (await import('./sandbox/sandbox.ts')).startCommand),
  row(sandbox.sandboxStatus, async () => (await import('./sandbox/sandbox.ts')).statusCommand),
  row(sandbox.sandboxReset, async () => (await import('./sandbox/sandbox.ts')).resetCommand),
  row(sandbox.dnsSet, async () => (await import('./sandbox/dns.ts')).dnsSetCommand),
  row(sandbox.dnsUnset, async () => (await import('./sandbox/dns.ts')).dnsUnsetCommand),
  row(sandbox.dnsList, async () => (await import('./sandbox/dns.ts')).dnsListCommand),
  row(sandbox.record, async () => (await import('./sandbox/snapshot.ts')).recordCommand),
  row(sandbox.snapshotSave, async () => (await import('./sandbox/snapshot.ts')).snapshotSaveCommand),
  row(sandbox.snapshotLoad, async () => (await import('./sandbox/snapshot.ts')).snapshotLoadCommand),
  row(traffic.sandboxExec, async () => (await import('./sandbox/exec.ts')).execCommand),
  row(traffic.sandboxRequests, async () => (await import('./sandbox/requests.ts')).requestsCommand),
  row(traffic.faultAdd, async () => (await import('./sandbox/faults.ts')).faultAddCommand),
  row(traffic.faultList, async () => (await import('./sandbox/faults.ts')).faultListCommand),
  row(traffic.faultClear, async () => (await import('./sandbox/faults.ts')).faultClearCommand),
  row(sandbox.clockAdvance, async () => (await import('./sandbox/clock.ts')).clockAdvanceCommand),
  row(sandbox.clockShow, async () => (await import('./sandbox/clock.ts')).clockShowCommand),
];

/** The same by their words. */
export const commandRoot = commandTree(commandTable);
