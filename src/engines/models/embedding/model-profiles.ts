/** The properties of a model family. */
export interface KnownModel {
  /** Prefix of the model name, in lower case and without the owner. */
  readonly name: string;
  /** Null if models with this prefix differ; the first answer then sets it. */
  readonly dimensions: number | null;
  /** Prefix that the model expects before a question. */
  readonly question: string;
  /** Prefix that the model expects before a text to be found. */
  readonly section: string;
}

/**
 * Weight of vector similarity. Measured with all-MiniLM-L6-v2 on the documentation questions, see docs/quality.md. For
 * other models it is a guess; PITH_EMBED_WEIGHT overrides it.
 */
export const MODEL_WEIGHT = 1;

const BGE = 'Represent this sentence for searching relevant passages: ';
const [E5_QUESTION, E5_SECTION] = ['query: ', 'passage: '];

const plain = (name: string, dimensions: number | null): KnownModel => ({
  name,
  dimensions,
  question: '',
  section: '',
});
const withQuestionPrefix = (name: string, dimensions: number | null, question = BGE): KnownModel => ({
  ...plain(name, dimensions),
  question,
});
const e5 = (name: string, dimensions: number): KnownModel => ({
  name,
  dimensions,
  question: E5_QUESTION,
  section: E5_SECTION,
});

/** Source: the model cards. */
const KNOWN_MODELS: readonly KnownModel[] = [
  plain('all-minilm', 384),
  plain('multi-qa-minilm-l6', 384),
  plain('all-mpnet-base', 768),
  plain('multi-qa-mpnet-base', 768),
  plain('paraphrase-multilingual-minilm', 384),
  plain('gte-small', 384),
  plain('gte-base', 768),
  plain('gte-large', 1024),
  plain('gte-modernbert-base', 768),
  plain('jina-embeddings-v2-small', 512),
  plain('jina-embeddings-v2-base', 768),
  plain('text-embedding-ada-002', 1536),
  plain('text-embedding-3-small', 1536),
  plain('text-embedding-3-large', 3072),
  plain('bge-m3', 1024),
  withQuestionPrefix('bge-small-en', 384),
  withQuestionPrefix('bge-base-en', 768),
  withQuestionPrefix('bge-large', 1024),
  withQuestionPrefix('mxbai-embed-large', 1024),
  withQuestionPrefix('snowflake-arctic-embed', null),
  withQuestionPrefix('snowflake-arctic-embed-xs', 384),
  withQuestionPrefix('snowflake-arctic-embed-s', 384),
  withQuestionPrefix('snowflake-arctic-embed-m', 768),
  withQuestionPrefix('snowflake-arctic-embed-l', 1024),
  e5('e5-small', 384),
  e5('e5-base', 768),
  e5('e5-large', 1024),
  e5('multilingual-e5-small', 384),
  e5('multilingual-e5-base', 768),
  e5('multilingual-e5-large', 1024),
  { name: 'nomic-embed-text', dimensions: 768, question: 'search_query: ', section: 'search_document: ' },
  {
    name: 'embeddinggemma',
    dimensions: 768,
    question: 'task: search result | query: ',
    section: 'title: none | text: ',
  },
  withQuestionPrefix(
    'qwen3-embedding',
    null,
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
  ),
];

/** Looks up a model by a name such as `BAAI/bge-small-en-v1.5` or `all-minilm:l6-v2`; null for unknown ones. */
export function knownModel(model: string): KnownModel | null {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase();
  const [longest = null] = KNOWN_MODELS.filter((known) => name.startsWith(known.name)).toSorted(
    (a, b) => b.name.length - a.name.length,
  );
  return longest;
}
