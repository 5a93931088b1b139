import { Amount, Choice, Count, Text } from '../setting.js';

/** Providers of an embedding model: an HTTP API, or ONNX in this process. */
const MODEL_PROVIDERS = ['openai', 'tei', 'ollama', 'onnx'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** True for the name of a model provider. */
export function isModelProvider(name: string): name is ModelProvider {
  return MODEL_PROVIDERS.some((known) => known === name);
}

/** Optional models: the embedder, which makes vectors, and the reranker. */
export class ModelsConfig {
  @Choice(
    'PITH_EMBEDDER',
    'Source of vectors: the encoder if it is installed and otherwise latent semantic analysis (auto), only the latter (lsa), none, an OpenAI-compatible, TEI or Ollama endpoint, or a local ONNX model. Run `pith index` again after changing it.',
    ['auto', 'lsa', 'none', ...MODEL_PROVIDERS],
  )
  embedder: 'auto' | 'lsa' | 'none' | ModelProvider = 'auto';

  @Text('PITH_EMBED_URL', 'URL of the embedding endpoint.', {
    takes: 'URL',
    pattern: /^(?:https?:\/\/\S+)?$/u,
  })
  embedUrl = '';

  @Text('PITH_EMBED_MODEL', 'Name of the embedding model. For onnx: the folder that contains the model.')
  embedModel = '';

  @Text('PITH_EMBED_API_KEY', 'API key for the embedding endpoint.', { secret: true })
  embedApiKey = '';

  @Count(
    'PITH_EMBED_DIMENSIONS',
    'Vector dimensions. 0: the known value for the model, or the length of its first vector.',
    { min: 0, max: 8_192 },
  )
  embedDimensions = 0;

  @Text(
    'PITH_EMBED_QUESTION_PREFIX',
    'Prefix that the model expects before a question. auto: the known prefix for the model.',
  )
  embedQuestionPrefix = 'auto';

  @Text(
    'PITH_EMBED_SECTION_PREFIX',
    'Prefix that the model expects before a section. auto: the known prefix for the model.',
  )
  embedSectionPrefix = 'auto';

  @Amount(
    'PITH_EMBED_WEIGHT',
    'Weight of vector similarity; the lexical score has weight 1. 0: the known weight for the model.',
    { min: 0, max: 10 },
  )
  embedWeight = 0;

  @Choice('PITH_RERANKER', 'Cross-encoder that reranks the best sections and sentences, or none.', [
    'none',
    'tei',
    'cohere',
    'onnx',
  ])
  reranker: 'none' | 'tei' | 'cohere' | 'onnx' = 'none';

  @Text('PITH_RERANK_URL', 'URL of the reranker endpoint.', {
    takes: 'URL',
    pattern: /^(?:https?:\/\/\S+)?$/u,
  })
  rerankUrl = '';

  @Text('PITH_RERANK_MODEL', 'Name of the reranker model. For onnx: the folder that contains the model.')
  rerankModel = '';

  @Text('PITH_RERANK_API_KEY', 'API key for the reranker endpoint.', { secret: true })
  rerankApiKey = '';

  @Text(
    'PITH_MODEL_FOLDER',
    'Folder of the encoder and the ONNX runtime that `pith model install` brings. Empty: in the data folder of the user.',
    { takes: 'path' },
  )
  modelFolder = '';

  @Count(
    'PITH_MODEL_TIMEOUT_MS',
    'Timeout of one request to a model (ms). Indexing allows ten times as long.',
    { min: 50, max: 120_000 },
  )
  timeoutMs = 5_000;
}
