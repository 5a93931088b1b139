import type { Config } from '../config/config.js';
import { ArtifactStore } from '../core/ports/work/artifact-store.port.js';
import { ClaimStore } from '../core/ports/work/claim-store.port.js';
import { CorpusIndexes } from '../core/ports/work/corpus-indexes.port.js';
import { CorpusStore } from '../core/ports/work/corpus-store.port.js';
import { ManifestStore } from '../core/ports/work/manifest-store.port.js';
import { PointerStore } from '../core/ports/work/pointer-store.port.js';
import { RunStore } from '../core/ports/work/run-store.port.js';
import { SchemaChecker } from '../core/ports/work/schema-checker.port.js';
import { SchemaStore } from '../core/ports/work/schema-store.port.js';
import { TextReader } from '../core/ports/work/text-reader.port.js';
import { LocalCorpusIndexes } from './indexing/local-corpus-indexes.js';
import { SchemaCheckerThread } from './json-schema/schema-checker-thread.js';
import { OpenedModels } from './open-models.js';
import { SqliteArtifactStore } from './sqlite/domains/sqlite-artifact-store.js';
import { SqliteClaimStore } from './sqlite/domains/sqlite-claim-store.js';
import { SqliteCorpusStore } from './sqlite/domains/sqlite-corpus-store.js';
import { SqliteManifestStore } from './sqlite/domains/sqlite-manifest-store.js';
import { SqlitePointerStore } from './sqlite/domains/sqlite-pointer-store.js';
import { SqliteRunStore } from './sqlite/domains/sqlite-run-store.js';
import { SqliteSchemaStore } from './sqlite/domains/sqlite-schema-store.js';
import { TextReaderThread } from './texts/text-reader-thread.js';

/** A port and its maker, as Nest takes them. */
interface OpenedPort {
  readonly provide: abstract new () => { close(): Promise<void> };
  readonly inject?: [typeof OpenedModels];
  readonly useFactory: (models: OpenedModels) => { close(): Promise<void> };
}

/** What the tools of MCP_DOMAINS need. The stores are one file; all is opened when a tool first uses it. */
export function workStores(config: Config): OpenedPort[] {
  const { domains, substrate } = config;
  const place = { file: domains.workFile, creates: true };
  const bounded = { ...place, now: Date.now, maxBytes: substrate.maxBytes };
  return [
    { provide: RunStore, useFactory: () => new SqliteRunStore(place) },
    { provide: SchemaStore, useFactory: () => new SqliteSchemaStore(place) },
    { provide: TextReader, useFactory: () => new TextReaderThread() },
    { provide: SchemaChecker, useFactory: () => new SchemaCheckerThread() },
    { provide: ArtifactStore, useFactory: () => new SqliteArtifactStore(bounded) },
    { provide: ManifestStore, useFactory: () => new SqliteManifestStore(bounded) },
    { provide: ClaimStore, useFactory: () => new SqliteClaimStore(bounded) },
    { provide: PointerStore, useFactory: () => new SqlitePointerStore(bounded) },
    { provide: CorpusStore, useFactory: () => new SqliteCorpusStore(place) },
    {
      provide: CorpusIndexes,
      inject: [OpenedModels],
      useFactory: (models) => new LocalCorpusIndexes(config, models),
    },
  ];
}
