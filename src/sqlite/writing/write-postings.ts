import { FIELD_WEIGHTS } from '../../kb/search/bm25.js';
import { bytesOrNull, type Database, type Statement, text } from '../driver.js';
import { BLOCK_ROWS, blockOf, firstRow, Postings, PostingsPacker } from '../postings.js';

const MOVED = `SELECT m.id, t.title_terms, t.heading_terms, t.file_terms, t.body_terms
  FROM temp.moved m CROSS JOIN stage.section t ON t.id = m.staged_id ORDER BY m.id`;
const { title, headings, file, body } = FIELD_WEIGHTS;
/** The weights of the columns with terms, in their order. */
const WEIGHTS = [title, headings, file, body];

const TERM_COLUMNS = ['title_terms', 'heading_terms', 'file_terms', 'body_terms'];
const NO_ROWS: ReadonlySet<number> = new Set();

/** The terms of each field of a section. */
export type SectionTerms = readonly (readonly string[])[];

const NO_TERMS: readonly string[] = [];
const splitTerms = (field: string): readonly string[] => (field === '' ? NO_TERMS : field.split(' '));

/** The stored blocks of postings and lengths. */
class Blocks {
  private readonly postings = new Postings();
  private readonly read;
  private readonly put;
  private readonly remove;
  private readonly readLengths;
  private readonly putLengths;

  constructor(database: Database) {
    this.read = database.prepare('SELECT bytes FROM main.section_posting WHERE term = ? AND block = ?');
    this.put = database.prepare('INSERT OR REPLACE INTO main.section_posting VALUES (?, ?, ?, ?)');
    this.remove = database.prepare('DELETE FROM main.section_posting WHERE term = ? AND block = ?');
    this.readLengths = database.prepare('SELECT bytes FROM main.section_length WHERE block = ?');
    this.putLengths = database.prepare('INSERT OR REPLACE INTO main.section_length VALUES (?, ?)');
  }

  /** A packer with the stored postings of a term, without some rows. */
  repack(term: string, block: number, without: ReadonlySet<number> = NO_ROWS): PostingsPacker {
    const packer = new PostingsPacker(block);
    const stored = bytesOrNull(this.read.get(term, block)?.['bytes']);
    if (!stored) return packer;
    const { postings } = this;
    postings.read(block, stored);
    for (let i = 0; i < postings.count; i++) {
      const row = postings.rows[i] ?? 0;
      if (!without.has(row)) packer.add(row, postings.frequencies[i] ?? 0);
    }
    return packer;
  }

  write(term: string, block: number, packer: PostingsPacker): void {
    const { rows, bytes } = packer.packed();
    if (rows === 0) this.remove.run(term, block);
    else this.put.run(term, block, rows, bytes);
  }

  /** Number of terms of each row of a block, 0 for ids without a row; null if the block is new. */
  lengths(block: number): Uint32Array | null {
    const stored = bytesOrNull(this.readLengths.get(block)?.['bytes']);
    if (!stored) return null;
    const lengths = new Uint32Array(BLOCK_ROWS);
    new Uint8Array(lengths.buffer).set(stored);
    return lengths;
  }

  writeLengths(block: number, lengths: Uint32Array): void {
    this.putLengths.run(block, new Uint8Array(lengths.buffer));
  }
}

/** Removes rows from the postings. @param gone  each row with the terms of its fields */
export function forgetPostings(
  database: Database,
  gone: Iterable<readonly [row: number, fields: readonly string[]]>,
): void {
  const blocks = new Blocks(database);
  const rowsOf = new Map<number, Map<string, Set<number>>>();
  const lengthsOf = new Map<number, Uint32Array>();
  for (const [row, fields] of gone) {
    const block = blockOf(row);
    const lengths = lengthsOf.get(block) ?? blocks.lengths(block) ?? new Uint32Array(BLOCK_ROWS);
    lengths[row - firstRow(block)] = 0;
    lengthsOf.set(block, lengths);
    const terms = rowsOf.get(block) ?? new Map<string, Set<number>>();
    rowsOf.set(block, terms);
    for (const term of fields.flatMap(splitTerms)) terms.set(term, (terms.get(term) ?? new Set()).add(row));
  }
  for (const [block, terms] of rowsOf)
    for (const [term, rows] of terms) blocks.write(term, block, blocks.repack(term, block, rows));
  for (const [block, lengths] of lengthsOf) blocks.writeLengths(block, lengths);
}

const NEW_POSTINGS = `DROP TABLE IF EXISTS temp.new_posting;
  CREATE TEMP TABLE new_posting (term TEXT NOT NULL, block INTEGER NOT NULL, rows INTEGER NOT NULL, bytes BLOB NOT NULL)`;
// In the order of the table, whose pages are then written once, and not for each block.
const SORT_POSTINGS = `INSERT INTO main.section_posting SELECT * FROM temp.new_posting ORDER BY term, block;
  DROP TABLE temp.new_posting`;

/** A block that rows are added to. */
class OpenBlock {
  private readonly packers = new Map<string, PostingsPacker>();
  private readonly lengths: Uint32Array;
  private readonly isNew: boolean;

  constructor(
    private readonly blocks: Blocks,
    private readonly putNew: Statement,
    readonly block: number,
  ) {
    const lengths = blocks.lengths(block);
    this.isNew = lengths === null;
    this.lengths = lengths ?? new Uint32Array(BLOCK_ROWS);
  }

  add(row: number, fields: SectionTerms): void {
    for (const [i, terms] of fields.entries()) {
      const weight = WEIGHTS[i] ?? 0;
      for (const term of terms) this.packer(term).add(row, weight);
    }
    this.lengths[row - firstRow(this.block)] = fields.reduce((sum, { length }) => sum + length, 0);
  }

  private packer(term: string): PostingsPacker {
    const known = this.packers.get(term);
    if (known) return known;
    const packer = this.isNew ? new PostingsPacker(this.block) : this.blocks.repack(term, this.block);
    this.packers.set(term, packer);
    return packer;
  }

  write(): void {
    if (this.isNew)
      for (const [term, packer] of this.packers) {
        const { rows, bytes } = packer.packed();
        this.putNew.run(term, this.block, rows, bytes);
      }
    // In this order, pages of the table are written once.
    else
      for (const [term, packer] of [...this.packers].sort(([a], [b]) => (a < b ? -1 : 1)))
        this.blocks.write(term, this.block, packer);
    this.blocks.writeLengths(this.block, this.lengths);
  }
}

/**
 * Adds the rows of this run, whose ids are above those of all other rows.
 * @param onSection  called with the terms of each row; title, headings, file and body
 */
export function writePostings(
  database: Database,
  onSection: (row: number, fields: SectionTerms) => void,
): void {
  const blocks = new Blocks(database);
  database.exec(NEW_POSTINGS);
  const putNew = database.prepare('INSERT INTO temp.new_posting VALUES (?, ?, ?, ?)');
  let open: OpenBlock | null = null;
  for (const found of database.prepare(MOVED).iterate()) {
    const row = Number(found['id']);
    if (open?.block !== blockOf(row)) {
      open?.write();
      open = new OpenBlock(blocks, putNew, blockOf(row));
    }
    const fields = TERM_COLUMNS.map((column) => splitTerms(text(found[column])));
    open.add(row, fields);
    onSection(row, fields);
  }
  open?.write();
  database.exec(SORT_POSTINGS);
}
