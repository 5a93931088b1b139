import { resolve } from 'node:path';
import type { Environment } from '../config/config.js';
import type { SearchMode } from '../core/ranking.js';
import type { MemoryFormat } from '../memory/rows/memory-formats.js';
import type { Source } from '../sources/source.js';

/** Options of every command. */
export interface Common {
  readonly index?: string;
}

/** Options of `start` and of both servers. */
export interface StartFlags extends Common, Pick<SourceFlags, 'allowHost' | 'secret'> {
  readonly docs?: string;
  readonly port?: string;
  readonly host?: string;
}

export const ENGINES = ['qdrant', 'neo4j', 'sqlite'] as const;
export type Engine = (typeof ENGINES)[number];

/** Options of commands that read sources. */
export interface SourceFlags {
  readonly allowHost?: readonly string[] | undefined;
  readonly secret?: string | undefined;
  readonly acceptRemoval?: boolean | undefined;
}

/** Options of the commands of a list of sources. */
export interface SyncFlags extends Common {
  /** Where the list is. */
  readonly folder: string;
  readonly dryRun?: boolean;
  readonly acceptRemoval?: boolean;
  readonly json?: boolean;
}

export interface AddFlags extends SyncFlags {
  readonly name?: string;
  readonly kind?: Source['kind'];
  readonly branch?: string;
  readonly path?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly docTag?: string;
  readonly repository?: string;
  readonly docVersion?: string;
  readonly trust?: boolean;
  readonly secret?: string;
  readonly every?: string;
  readonly hookSecret?: string;
  readonly allowHost?: readonly string[];
}

export interface IndexFlags extends Common, SourceFlags {
  readonly project?: string;
  readonly environment?: string;
  readonly repository?: string;
  readonly siteUrl?: readonly string[];
  readonly origin?: string;
  readonly settings?: string;
  /** False for --no-ignore. */
  readonly ignore: boolean;
  readonly rebuild?: boolean;
  readonly allowPartial?: boolean;
  readonly watch?: boolean;
  readonly metadataOut?: string;
  readonly engine?: readonly Engine[];
  readonly json?: boolean;
}

export interface RestoreFlags extends Common {
  readonly replace?: boolean;
}

export interface AskFlags extends Common {
  readonly keyword?: readonly string[];
  readonly json?: boolean;
}

export interface DoctorFlags extends Common, Pick<SourceFlags, 'allowHost' | 'secret'> {
  readonly docs?: string;
  readonly json?: boolean;
  readonly write?: string;
}

/** Options of `skill`. */
export interface SkillFlags extends Common {
  readonly host: 'claude-code' | 'codex' | 'gemini-cli';
  readonly folder?: string;
  readonly print?: boolean;
  readonly force?: boolean;
}

export interface EvalFlags extends Common {
  readonly corpus?: string;
  readonly keywords?: string;
  readonly mode?: SearchMode;
  readonly baseline?: readonly string[];
  readonly out?: string;
  readonly setFloor?: string;
}

export interface MemoryImportFlags extends Common {
  readonly format?: MemoryFormat | 'auto';
  readonly source?: string;
  readonly replace?: boolean;
}

/** Options of every diagnostics command. */
export interface DiagnosticsFlags extends Common {
  readonly dir?: string;
  readonly json?: boolean;
}

export interface ListFlags extends DiagnosticsFlags {
  readonly tool?: string;
  readonly since?: string;
  readonly until?: string;
  readonly failed?: boolean;
  readonly degraded?: boolean;
  readonly partial?: boolean;
  readonly minMs?: number;
  readonly session?: string;
  readonly answerable?: string;
  readonly limit?: number;
}

/** Texts that replace those that a diagnostic does not contain. */
export interface TextFlags extends DiagnosticsFlags {
  readonly query?: string;
  readonly keyword?: readonly string[];
  readonly part?: readonly string[];
  readonly docTag?: readonly string[];
  readonly pathPrefix?: string;
  readonly updatedAfter?: string;
}

export interface WhyFlags extends TextFlags {
  readonly id?: string;
  readonly tool?: 'kb.search' | 'kb.retrieve_evidence';
  readonly topK?: number;
  readonly maxPerDoc?: number;
}

/** An object without its undefined properties. */
export const defined = <T>(values: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));

/** Flags that replace a setting. */
type SettingFlags = Pick<StartFlags, 'index' | 'port' | 'host'> &
  Pick<IndexFlags, 'engine'> &
  Pick<DiagnosticsFlags, 'dir'> & {
    readonly ledgerFile?: string | undefined;
    readonly storeFile?: string | undefined;
  };

/** The settings that the given flags replace. */
export const settingsFrom = ({
  index,
  port,
  host,
  dir,
  engine,
  ledgerFile,
  storeFile,
}: SettingFlags): Environment =>
  defined({
    PITH_INDEX: index,
    PITH_HTTP_PORT: port,
    PITH_HTTP_HOST: host,
    RETRIEVAL_DIAGNOSTICS_DIR: dir === undefined ? undefined : resolve(dir),
    PITH_LEDGER_FILE: ledgerFile === undefined ? undefined : resolve(ledgerFile),
    // --file takes precedence over the ledger of the servers.
    PITH_DATABASE: ledgerFile === undefined ? undefined : '',
    PITH_GOVERNANCE_DATABASE: ledgerFile === undefined ? undefined : '',
    PITH_GOVERNANCE_STORE_FILE: storeFile === undefined ? undefined : resolve(storeFile),
    PITH_SECTION_ENGINE: engine && (engine.includes('qdrant') ? 'qdrant' : 'sqlite'),
    PITH_GRAPH_ENGINE: engine && (engine.includes('neo4j') ? 'neo4j' : 'sqlite'),
  });
