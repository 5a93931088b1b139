import { createHash } from 'node:crypto';
import type { IndexedDocument } from '../../core/indexed-document.js';
import type { DocumentFacts, Section } from '../../core/section.js';
import { findAcronyms } from '../../text/find-acronyms.js';
import type { StemMemo } from '../../text/terms/search-terms.js';
import { sectionTerms } from '../../text/terms/section-terms.js';
import type { Database } from '../driver.js';
import { inTransaction } from '../in-transaction.js';
import { DOCUMENT_FIELDS, SECTION_FIELDS } from '../schema.js';

function documentValues(document: IndexedDocument): (string | number | null)[] {
  const { facts } = document;
  return [
    facts.path,
    facts.title,
    JSON.stringify(facts.trail),
    facts.docTag,
    facts.repository,
    facts.updatedAt,
    facts.url,
    document.hash,
    document.bytes,
    JSON.stringify(document.frontMatter),
    JSON.stringify(facts.metadata),
    facts.caution ? JSON.stringify(facts.caution) : null,
    facts.artifact ?? null,
    document.allowed ? JSON.stringify(document.allowed) : null,
  ];
}

/** Tells copies of a text: 48 bits, because integers of JavaScript are exact up to 53. */
function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6);
}

function sectionValues(
  section: Section,
  { path, title: documentTitle, trail }: DocumentFacts,
  memo: StemMemo,
): (string | number | null)[] {
  const { id, ordinal, title, headingPath, anchor, level, text, structure } = section;
  const headings = JSON.stringify(headingPath);
  const fields = [id, ordinal, title, headings, anchor, level, hashOf(text), text, structure];
  const terms = sectionTerms({ documentTitle, trail, title, headingPath, path, text }, memo);
  return [...fields, ...terms, JSON.stringify(findAcronyms(text))];
}

/** Stages documents in one transaction; replaces those that are already staged. */
export function stageDocuments(
  database: Database,
  documents: readonly IndexedDocument[],
  memo: StemMemo,
): void {
  const forgetSections = database.prepare(
    'DELETE FROM stage.section WHERE document_id = (SELECT id FROM stage.document WHERE path = ?)',
  );
  const forget = database.prepare('DELETE FROM stage.document WHERE path = ?');
  const addDocument = database.prepare(
    `INSERT INTO stage.document (${DOCUMENT_FIELDS}, graph) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addSection = database.prepare(
    `INSERT INTO stage.section (document_id, ${SECTION_FIELDS}, title_terms, heading_terms, file_terms, body_terms,
      acronyms, vector)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  inTransaction(database, () => {
    for (const document of documents) {
      forgetSections.run(document.facts.path);
      forget.run(document.facts.path);
      const { lastInsertRowid } = addDocument.run(
        ...documentValues(document),
        JSON.stringify(document.graph),
      );
      for (const [i, section] of document.sections.entries()) {
        const vector = document.vectors?.[i] ?? null;
        addSection.run(lastInsertRowid, ...sectionValues(section, document.facts, memo), vector);
      }
    }
  });
}
