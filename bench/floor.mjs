// Measures plain node:sqlite and fs with the same rows and files: `node floor.mjs put|export|clear FOLDER FILE`. A program that stores a
// file and a row for each value, as in Miniflare's layout, cannot be faster.
import { closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [, , work, folder, file] = process.argv;
const rowsAtOnce = 1000;

mkdirSync(folder, { recursive: true });
const database = new DatabaseSync(join(folder, 'floor.sqlite'));
database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS entries
  (key TEXT PRIMARY KEY, blob_id TEXT NOT NULL, expiration INTEGER, metadata TEXT)`);
({ put, export: write, clear })[work]();
database.close();

function put() {
  const list = JSON.parse(readFileSync(file, 'utf8'));
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, NULL, NULL)');
  for (let start = 0; start < list.length; start += rowsAtOnce) {
    database.exec('BEGIN IMMEDIATE');
    for (const [index, { key, value }] of list.slice(start, start + rowsAtOnce).entries()) {
      const id = String(start + index).padStart(80, '0');
      writeFileSync(join(folder, id), value);
      insert.run(key, id);
    }
    database.exec('COMMIT');
  }
}

function write() {
  const out = openSync(file, 'w');
  let lines = [];
  const flush = () => {
    writeSync(out, lines.map((line) => `${line}\n`).join(''));
    lines = [];
  };
  for (const { key, blob_id } of database.prepare('SELECT * FROM entries ORDER BY key').iterate()) {
    lines.push(JSON.stringify({ key, value: readFileSync(join(folder, blob_id), 'utf8') }));
    if (lines.length === rowsAtOnce) flush();
  }
  flush();
  closeSync(out);
}

function clear() {
  for (const { blob_id } of database.prepare('DELETE FROM entries RETURNING blob_id').all())
    unlinkSync(join(folder, blob_id));
}
