import type { CorpusPrompt, TaxonomyKey } from '../core/corpus-facts.js';
import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import { listedPrompt } from '../mcp/corpus-lists.js';
import type { Inventory } from '../sqlite/index/read-inventory.js';

/** The version of the format, as tools for docs-mcp expect it; incompatible changes increase the first number. */
const METADATA_VERSION = '1.1.0';

function keyJson({ key, description, values }: TaxonomyKey, { declaration }: Inventory): object {
  const declared = Object.hasOwn(declaration.taxonomy, key) ? declaration.taxonomy[key] : undefined;
  const offered = declared?.isResource ? values : (declared?.resourceValues ?? []);
  const properties = Object.fromEntries(offered.map((value) => [value, { mcp_resource: true }]));
  const collapse = declared?.collapse ?? null;
  return {
    ...(description === null ? {} : { description }),
    values,
    ...(collapse === null ? {} : { vector_collapse: collapse }),
    ...(offered.length === 0 ? {} : { properties }),
  };
}

function promptJson(prompt: CorpusPrompt): object {
  const { messages } = prompt;
  const [only] = messages.length === 1 ? messages : [];
  return { ...listedPrompt(prompt), ...(only?.role === 'user' ? { template: only.template } : { messages }) };
}

/** Describes an index in the format of the `metadata.json` of docs-mcp. @param commit  40 hex digits, or null */
export function metadataJson(inventory: Inventory, embedder: EmbedderProfile, commit: string | null): object {
  const { declaration, taxonomy, documents, sections, indexedAt, hasVectors } = inventory;
  const { description, instructions, prompts } = declaration;
  const embedding = { provider: 'pith', model: embedder.name, dimensions: embedder.dimensions };
  return {
    metadata_version: METADATA_VERSION,
    corpus_description: description ?? 'Documentation corpus',
    taxonomy: Object.fromEntries(taxonomy.map((each) => [each.key, keyJson(each, inventory)])),
    stats: {
      total_chunks: sections,
      total_files: documents.length,
      indexed_at: indexedAt,
      source_commit: commit,
    },
    embedding: hasVectors ? embedding : null,
    files: Object.fromEntries(documents.map(({ path, title }) => [path, { title }])),
    ...(prompts.length === 0 ? {} : { prompts: prompts.map(promptJson) }),
    ...(instructions === null ? {} : { mcpServerInstructions: instructions }),
  };
}
