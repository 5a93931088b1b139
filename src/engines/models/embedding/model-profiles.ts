interface KnownModel {
  /** Prefix of the model name, in lower case and without the owner. */
  readonly name: string;
  /** Null if models with this prefix differ; the first answer then sets it. */
  readonly dimensions: number | null;
  /** Prefix that the model expects before a question. */
  readonly question: string;
  /** Prefix that the model expects before an indexed text. */
  readonly section: string;
}

/** Default weight of vector similarity, measured with all-MiniLM-L6-v2 (docs/quality.md); a guess for other models. */
export const MODEL_WEIGHT = 1;

const BGE = 'Represent this sentence for searching relevant passages: ';
const QWEN3 = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const E5 = ['query: ', 'passage: '] as const;

type ModelRow = readonly [name: string, dimensions: number | null, question?: string, section?: string];

/** Source: the model cards. */
const KNOWN_MODELS: readonly ModelRow[] = [
  ['all-minilm', 384],
  ['multi-qa-minilm-l6', 384],
  ['all-mpnet-base', 768],
  ['multi-qa-mpnet-base', 768],
  ['paraphrase-multilingual-minilm', 384],
  ['gte-small', 384],
  ['gte-base', 768],
  ['gte-large', 1024],
  ['gte-modernbert-base', 768],
  ['jina-embeddings-v2-small', 512],
  ['jina-embeddings-v2-base', 768],
  ['text-embedding-ada-002', 1536],
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['bge-m3', 1024],
  ['bge-small-en', 384, BGE],
  ['bge-base-en', 768, BGE],
  ['bge-large', 1024, BGE],
  ['mxbai-embed-large', 1024, BGE],
  ['snowflake-arctic-embed', null, BGE],
  ['snowflake-arctic-embed-xs', 384, BGE],
  ['snowflake-arctic-embed-s', 384, BGE],
  ['snowflake-arctic-embed-m', 768, BGE],
  ['snowflake-arctic-embed-l', 1024, BGE],
  ['e5-small', 384, ...E5],
  ['e5-base', 768, ...E5],
  ['e5-large', 1024, ...E5],
  ['multilingual-e5-small', 384, ...E5],
  ['multilingual-e5-base', 768, ...E5],
  ['multilingual-e5-large', 1024, ...E5],
  ['nomic-embed-text', 768, 'search_query: ', 'search_document: '],
  ['embeddinggemma', 768, 'task: search result | query: ', 'title: none | text: '],
  ['qwen3-embedding', null, QWEN3],
];

/** Looks up a model by a name such as `BAAI/bge-small-en-v1.5` or `all-minilm:l6-v2`; null for unknown ones. */
export function knownModel(model: string): KnownModel | null {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase();
  const known = KNOWN_MODELS.filter(([prefix]) => name.startsWith(prefix));
  const [longest] = known.sort(([a], [b]) => b.length - a.length);
  if (!longest) return null;
  const [prefix, dimensions, question = '', section = ''] = longest;
  return { name: prefix, dimensions, question, section };
}
