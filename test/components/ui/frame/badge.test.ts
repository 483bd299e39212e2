import { expect, test } from 'vitest';
import type { OpenPane } from '../../../../components/kit/open-pane.ts';
import type { SessionLabel } from '../../../../components/kit/session-label.ts';
import { formatBadge, tasksTarget } from '../../../../components/ui/frame/badge.ts';
import { listCapabilities } from '../../../../src/model/capability.ts';

const namespace = { id: 'a', title: 'a' };
const zone = { id: 'z', name: 'saas.test' };
const label: SessionLabel = {
  target: 'preview',
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.acme.invalid/client/v4' },
  can: listCapabilities({ kind: 'remote' }),
  accountLabel: 'Acme',
  readOnly: false,
};

test.each<[OpenPane, string]>([
  [{ pane: 'namespaces' }, 'PREVIEW'],
  [{ pane: 'keys', namespace }, 'PREVIEW'],
  [{ pane: 'home' }, 'PREVIEW'],
  [{ pane: 'buckets' }, 'PRODUCTION'],
  [{ pane: 'objects', bucket: { name: 'b' }, folder: '' }, 'PRODUCTION'],
  [{ pane: 'hostnames' }, 'PRODUCTION'],
  [{ pane: 'forecast', zone }, 'PRODUCTION'],
  [{ pane: 'records', zone }, 'PRODUCTION'],
  [{ pane: 'plan', zone, id: '1', path: '/x', prune: false }, 'PRODUCTION'],
  [{ pane: 'diagnoses', zone, id: 't' }, 'PRODUCTION'],
  [{ pane: 'workers' }, 'PRODUCTION'],
  [{ pane: 'worker', name: 'w' }, 'PRODUCTION'],
  [{ pane: 'tasks' }, 'ALL TARGETS'],
  [{ pane: 'undo' }, 'ALL TARGETS'],
])('shows the actual target of a preview target of %j: %s', (opened, word) => {
  expect(formatBadge(label, opened).text).toBe(word);
});

test('does not call local data or the sandbox production', () => {
  const local = { ...label, target: 'local', where: { kind: 'local', folder: '/data' } } as const;
  expect(formatBadge(local, { pane: 'buckets' })).toEqual({ text: 'LOCAL', role: 'local' });
  const sandbox = { ...label, target: 'production', where: { kind: 'sandbox', folder: '/data' } } as const;
  expect(formatBadge(sandbox, { pane: 'namespaces' }).text).toBe('SANDBOX');
  expect(formatBadge({ ...sandbox, isDemo: true }, { pane: 'hostnames' }).text).toBe('DEMO');
  expect(formatBadge({ ...sandbox, isDemo: true, target: 'preview' }, { pane: 'keys', namespace }).text).toBe(
    'DEMO PREVIEW',
  );
});

test('shows the common target of the listed tasks, or of the opened task', () => {
  const elsewhere = {
    kind: 'remote',
    profile: 'other',
    baseUrl: 'https://api.other.invalid/client/v4',
  } as const;
  const task = (id: string, target: 'production' | 'preview', where: SessionLabel['where'] = label.where) =>
    ({ id, target, where }) as const;
  const tasks = [task('1', 'production'), task('2', 'preview')];
  const find = (opened: OpenPane, of = tasks) => tasksTarget(opened, of, label.where);
  expect(find({ pane: 'tasks' })).toBeUndefined();
  expect(find({ pane: 'tasks' }, [])).toBeUndefined();
  expect(find({ pane: 'tasks' }, [task('1', 'production'), task('2', 'production')])).toBe('production');
  expect(find({ pane: 'tasks' }, [task('1', 'production', elsewhere)])).toBeUndefined();
  expect(find({ pane: 'task', id: '2' })).toBe('preview');
  expect(find({ pane: 'undo' })).toBeUndefined();
  expect(formatBadge(label, { pane: 'tasks' }, 'production')).toEqual({
    text: 'PRODUCTION',
    role: 'production',
  });
});
