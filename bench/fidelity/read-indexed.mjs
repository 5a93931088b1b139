import { DatabaseSync } from '@photostructure/sqlite';

/** What the index has of each document, by path: its texts, headings with their parents, and cells of tables. */
export function readIndexed(file) {
  const database = new DatabaseSync(file, { readOnly: true });
  const documents = database.prepare('SELECT id, path, title FROM document').all();
  const sections = database.prepare('SELECT text FROM section WHERE document_id = ? ORDER BY ordinal');
  const places = database.prepare(
    'SELECT id, title, level, parent_id FROM graph_place WHERE document_id = ? ORDER BY position',
  );
  const read = new Map(
    documents.map(({ id, path, title }) => {
      const texts = sections.all(id).map(({ text }) => text);
      return [
        path,
        { title, text: plain(texts.join('\n\n')), headings: headings(places.all(id)), cells: cells(texts) },
      ];
    }),
  );
  database.close();
  return read;
}

/** The words of Markdown that a reader sees: without marks, addresses of links and languages of code. */
function plain(text) {
  return text
    .replace(/^\s*(?:```|~~~).*$/gm, '')
    .replace(/\]\((?:[^()\s]|\([^()]*\))*(?:\s"[^"]*")?\)/g, ']')
    .replace(/<br>/g, ' ')
    .replace(/<\/?(?:sup|sub|u|kbd|mark)>/g, '')
    .replace(/[*`]/g, '');
}

/** The parts of a divided section have one heading. */
function headings(places) {
  const titles = new Map(places.map(({ id, title }) => [id, title]));
  return places
    .filter(({ title, parent_id, level }, at) => {
      const before = places[at - 1];
      return before?.title !== title || before.parent_id !== parent_id || before.level !== level;
    })
    .map(({ title, parent_id }) => ({ title, parent: titles.get(parent_id) ?? null }));
}

/** Cells of tables, and lines of their own: a table with one column or one cell is no table in a section. */
function cells(texts) {
  const lines = texts.join('\n').split('\n');
  const isRow = (line) => /^\s*\|/.test(line);
  return [
    ...lines.filter(isRow).flatMap((line) => line.split(/(?<!\\)\|/)),
    ...lines.filter((line) => !isRow(line)),
  ].map(plain);
}
