import { copyFileSync, statSync } from 'node:fs';
import { closeStore } from '../../../src/sqlite/close-store.js';
import { openDatabase } from '../../../src/sqlite/driver.js';
import { testFolder } from '../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

function filled(file: string) {
  const database = openDatabase(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE word (text TEXT)');
  database.prepare('INSERT INTO word VALUES (?)').run('sail');
  return database;
}

describe('closeStore', () => {
  it('leaves everything in the main file, and an empty log', () => {
    const file = folder.file('a.sqlite');
    closeStore(filled(file));
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    copyFileSync(file, folder.file('copy.sqlite'));
    const copy = openDatabase(folder.file('copy.sqlite'));
    expect(copy.prepare('SELECT text FROM word').get()).toEqual({ text: 'sail' });
    copy.close();
  });

  it('closes a database that was opened for reading', () => {
    const file = folder.file('b.sqlite');
    closeStore(filled(file));
    const reader = openDatabase(file, { readOnly: true });
    reader.prepare('SELECT text FROM word').get();
    closeStore(reader);
    expect(() => reader.exec('SELECT 1')).toThrow();
  });

  it('closes while another connection reads', () => {
    const file = folder.file('c.sqlite');
    const writer = filled(file);
    const reader = openDatabase(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT text FROM word').get();
    closeStore(writer);
    expect(reader.prepare('SELECT text FROM word').get()).toEqual({ text: 'sail' });
    reader.close();
  });
});
