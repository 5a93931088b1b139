/** What is known of a family of models. */
export interface KnownModel {
  /** Start of the name: its last part in lower case, without the owner. */
  readonly name: string;
  /** Null where models of this name differ, so that the first answer tells. */
  readonly dimensions: number | null;
  /** What the model wants before a question, and before a text to be found. */
  readonly question: string;
  readonly section: string;
}

/**
 * Measured with all-MiniLM-L6-v2 on the questions of the documentation, see docs/quality.md; for models that were not
 * measured here a guess, which PITH_EMBED_WEIGHT overrides.
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
const asked = (name: string, dimensions: number | null, question = BGE): KnownModel => ({
  ...plain(name, dimensions),
  question,
});
const e5 = (name: string, dimensions: number): KnownModel => ({
  name,
  dimensions,
  question: E5_QUESTION,
  section: E5_SECTION,
});

/** From the models' own cards. */
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
  asked('bge-small-en', 384),
  asked('bge-base-en', 768),
  asked('bge-large', 1024),
  asked('mxbai-embed-large', 1024),
  asked('snowflake-arctic-embed', null),
  asked('snowflake-arctic-embed-xs', 384),
  asked('snowflake-arctic-embed-s', 384),
  asked('snowflake-arctic-embed-m', 768),
  asked('snowflake-arctic-embed-l', 1024),
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
  asked(
    'qwen3-embedding',
    null,
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
  ),
];

/** What is known of a model by its name, such as `BAAI/bge-small-en-v1.5` or `all-minilm:l6-v2`; null for others. */
export function knownModel(model: string): KnownModel | null {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase();
  const [longest = null] = KNOWN_MODELS.filter((known) => name.startsWith(known.name)).toSorted(
    (a, b) => b.name.length - a.name.length,
  );
  return longest;
}
