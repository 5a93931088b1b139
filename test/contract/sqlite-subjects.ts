import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { IndexSettings, PublishReport } from '../../src/core/ports/index-writer.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../support/build-index.js';
import { presentOf, SETTINGS } from '../support/indexed-documents.js';
import type { GraphStoreSubject } from './graph-store/graph-subject.js';
import type { IndexWriterSubject } from './index-writer.contract.js';
import type { SectionIndexSubject } from './section-index.contract.js';

export type EmbedderName = 'lsa' | 'none';

/** Publishes exactly these documents into an index file. */
export async function publish(
  file: string,
  documents: readonly IndexedDocument[],
  { corpus = NOTHING_DECLARED, groupRules }: Partial<Pick<IndexSettings, 'corpus' | 'groupRules'>> = {},
): Promise<PublishReport> {
  const writer = new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now);
  try {
    const { published } = await writer.begin(
      { ...SETTINGS, corpus, ...(groupRules ? { groupRules } : {}) },
      false,
    );
    await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
    return await writer.publish(presentOf(documents));
  } finally {
    await writer.close();
  }
}

/** Stages documents, as a run that was killed before it published. */
export async function stageOnly(file: string, documents: readonly IndexedDocument[]): Promise<void> {
  const writer = new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now);
  await writer.begin(SETTINGS, false);
  await writer.stage(documents);
  await writer.close();
}

function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/** Changes the version of an index file to an unknown one. */
export function ageIdentity(file: string): void {
  const database = openDatabase(file);
  database.exec(`UPDATE meta SET value = '{"schema":0}' WHERE key = 'identity'`);
  database.close();
}

type Open = (file: string, embedder: EmbedderName) => SectionIndex;

/** An index file, with a reader. */
export async function aSqliteIndex(open: Open): Promise<SectionIndexSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = open(file, 'lsa');
  return {
    index,
    publish: async (...documents) => void (await publish(file, documents)),
    declare: async (corpus, ...documents) => void (await publish(file, documents, { corpus })),
    replace: async (...documents) => {
      await publish(folder.file('other.sqlite'), documents);
      renameSync(folder.file('other.sqlite'), file);
    },
    putGarbage: () => writeFileSync(file, 'This is no database. '.repeat(1_000)),
    ageIdentity: () => ageIdentity(file),
    openWithOtherEmbedder: () => open(file, 'none'),
    remove: () => removeIndex(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

export const inProcess: Open = (file, embedder) =>
  makePort('sections', new SqliteReader(file, embedderNamed(embedder)));

/** A location for an index file. */
export async function aSqlitePlace(): Promise<IndexWriterSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = inProcess(file, 'lsa');
  return {
    openWriter: () => new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now),
    index,
    openOther: () => ({
      writer: new SqliteIndexWriter(file, embedderNamed('none'), Date.now),
      index: inProcess(file, 'none'),
    }),
    ageIdentity: () => ageIdentity(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

export type OpenGraph = (file: string) => GraphStore;

/** The graph in an index file, with a reader. */
export async function aSqliteGraph(open: OpenGraph): Promise<GraphStoreSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const opened = [open(file)];
  return {
    graph: opened[0] ?? open(file),
    publish: (...documents) => publish(file, documents),
    stageOnly: (...documents) => stageOnly(file, documents),
    buildElsewhere: async (...documents) => {
      const other = folder.file(`other-${opened.length}.sqlite`);
      const report = await publish(other, documents);
      const graph = open(other);
      opened.push(graph);
      return { graph, report };
    },
    ageIdentity: () => ageIdentity(file),
    remove: () => removeIndex(file),
    dispose: async () => {
      await Promise.all(opened.map((graph) => graph.close()));
      folder.remove();
    },
  };
}
