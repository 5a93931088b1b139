import { type Database, openDatabase } from '../../../src/sqlite/driver.js';
import { packVector } from '../../../src/sqlite/latent/packed-vector.js';
import { VectorTable } from '../../../src/sqlite/vector-table.js';

/** Directions in a plane, by degrees. */
function inPlane(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
}

function tableOf(...degrees: readonly number[]): Database {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE section_vector (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)');
  const add = database.prepare('INSERT INTO section_vector VALUES (?, ?)');
  for (const [i, each] of degrees.entries()) add.run(i + 1, packVector(inPlane(each)));
  return database;
}

const rowsOf = (found: readonly { readonly row: number }[]): number[] => found.map(({ row }) => row);
const ASKED = { question: inPlane(0), visible: { conditions: [], values: [] }, limit: 3 };

describe('VectorTable', () => {
  it('finds the nearest rows, best first, ties by row', () => {
    const found = new VectorTable().nearest(tableOf(90, 20, 180, 0, 20), 'g', ASKED);
    expect(rowsOf(found)).toEqual([4, 2, 5]);
    expect(found.map(({ score }) => score.toFixed(2))).toEqual(['1.00', '0.94', '0.94']);
  });

  it.each([
    ['in cached blocks', { blockRows: 2, keptBytes: 1_000 }],
    ['in blocks that are read again', { blockRows: 2, keptBytes: 7 }],
    ['in one block of exactly the right size', { blockRows: 5, keptBytes: 1_000 }],
  ])('compares all rows %s', (_, limits) => {
    const table = new VectorTable(limits);
    const database = tableOf(90, 20, 180, 0, 20);
    table.nearest(database, 'g', ASKED);
    expect(rowsOf(table.nearest(database, 'g', ASKED))).toEqual([4, 2, 5]);
  });

  it('reads the vectors again after a publish', () => {
    const table = new VectorTable();
    const database = tableOf(90);
    table.nearest(database, 'g1', ASKED);
    database.prepare('INSERT INTO section_vector VALUES (9, ?)').run(packVector(inPlane(5)));
    expect(rowsOf(table.nearest(database, 'g1', ASKED))).toEqual([1]);
    expect(rowsOf(table.nearest(database, 'g2', ASKED))).toEqual([9, 1]);
  });

  it('finds nothing in an index without vectors', () => {
    expect(new VectorTable().nearest(tableOf(), 'g', ASKED)).toEqual([]);
  });

  it('rejects a question from another space', () => {
    const question = new Float32Array(3);
    expect(() => new VectorTable().nearest(tableOf(1, 2), 'g', { ...ASKED, question })).toThrow(RangeError);
  });
});
