import { createHash } from 'node:crypto';
import type { ModuleKind, WorkerCode } from '../../model/workers/worker.ts';
import type { Database } from '../sqlite.ts';

/** Removes code that no version has. */
export function sweepCode(database: Database): void {
  database.exec('DELETE FROM worker_code WHERE id NOT IN (SELECT code FROM worker_version)');
}

/** Stores code under its hash, and returns the hash. */
export function keepCode(database: Database, code: WorkerCode): string {
  const id = hashOf(code);
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO worker_code (id, format, entry) VALUES (?, ?, ?)')
    .run(id, code.format, code.entry);
  if (changes === 0) return id;
  const insert = database.prepare(
    'INSERT INTO worker_module (code, position, name, kind, content) VALUES (?, ?, ?, ?, ?)',
  );
  code.modules.forEach(({ name, kind, content }, position) => {
    insert.run(id, position, name, kind, content);
  });
  return id;
}

function hashOf({ format, entry, modules }: WorkerCode): string {
  const hash = createHash('sha256').update(JSON.stringify([format, entry]));
  for (const { name, kind, content } of modules) {
    hash.update(JSON.stringify([name, kind, content.length])).update(content);
  }
  return hash.digest('hex');
}

/** The code that is stored under an id. */
export function codeOf(database: Database, id: string): WorkerCode {
  const row = database.prepare('SELECT format, entry FROM worker_code WHERE id = ?').get(id);
  const modules = database
    .prepare('SELECT name, kind, content FROM worker_module WHERE code = ? ORDER BY position')
    .all(id);
  return {
    format: row?.['format'] === 'script' ? 'script' : 'modules',
    entry: String(row?.['entry']),
    modules: modules.map(({ name, kind, content }) => ({
      name: String(name),
      kind: kind as ModuleKind,
      content: content as Uint8Array,
    })),
  };
}
