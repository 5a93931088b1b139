import type { Config } from '../config/config.js';
import { ArtifactStore } from './substrate/artifacts/artifact-store.port.js';
import { ClaimStore } from './claims/claim-store.port.js';
import { CorpusIndexes } from './corpora/corpus-indexes.port.js';
import { CorpusStore } from './corpora/corpus-store.port.js';
import { ManifestStore } from './substrate/manifests/manifest-store.port.js';
import { PointerStore } from './substrate/pointers/pointer-store.port.js';
import { RunStore } from './runs/run-store.port.js';
import { SchemaChecker } from './schemas/checking/schema-checker.port.js';
import { SchemaStore } from './schemas/schema-store.port.js';
import { TextReader } from './documents/text-reader.port.js';
import { LocalCorpusIndexes } from './corpora/local-corpus-indexes.js';
import { SchemaCheckerThread } from './schemas/checking/schema-checker-thread.js';
import { OpenedModels } from '../engines/open-models.js';
import { SqliteArtifactStore } from './substrate/artifacts/sqlite-artifact-store.js';
import { SqliteClaimStore } from './claims/sqlite-claim-store.js';
import { SqliteCorpusStore } from './corpora/sqlite-corpus-store.js';
import { SqliteManifestStore } from './substrate/manifests/sqlite-manifest-store.js';
import { SqlitePointerStore } from './substrate/pointers/sqlite-pointer-store.js';
import { SqliteRunStore } from './runs/sqlite-run-store.js';
import { SqliteSchemaStore } from './schemas/sqlite-schema-store.js';
import { TextReaderThread } from './documents/reading/text-reader-thread.js';

/** A port and its maker, as Nest takes them. */
interface OpenedPort {
  readonly provide: abstract new () => { close(): Promise<void> };
  readonly inject?: [typeof OpenedModels];
  readonly useFactory: (models: OpenedModels) => { close(): Promise<void> };
}

/** The ports of the tools of MCP_DOMAINS. The stores are one file; each is opened when a tool first uses it. */
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
