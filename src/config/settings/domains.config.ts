import { Choices, Folders, Text } from '../setting.js';

/** The namespaces of tools with which agents keep work of their own. */
export const DOMAINS = ['run', 'index', 'substrate', 'document', 'schema', 'claim', 'knowledge'] as const;
export type Domain = (typeof DOMAINS)[number];

/** Tools beyond those that answer from documents. */
export class DomainsConfig {
  @Choices(
    'MCP_DOMAINS',
    'Further tools to offer, by namespace; see docs/domains.md. Tools that write also need a rule in PITH_GOVERNANCE_FILE that allows them.',
    DOMAINS,
  )
  offered: readonly Domain[] = [];

  @Text(
    'PITH_WORK_FILE',
    'Path of the file with what these tools store, and kept questions. A relative path is resolved against the folder of the index. Empty: beside the index, as index.work.sqlite.',
    { takes: 'empty, or a path' },
  )
  workFile = '';

  @Folders(
    'PITH_INGEST_ROOTS',
    'Folders that index.ingest and knowledge.kb_create may index, with all folders below them. Empty: none.',
  )
  ingestRoots: readonly string[] = [];
}
