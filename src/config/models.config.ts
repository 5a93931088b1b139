import { Amount, Choice, Count, Text } from './setting.js';

/** Models, for those who have them: what makes vectors, and what ranks anew. */
export class ModelsConfig {
  @Choice(
    'PITH_EMBEDDER',
    'What ranks beside words: the latent semantics of the documents, nothing, or a model behind an OpenAI-compatible, TEI or Ollama endpoint or in a local ONNX folder. Index again after changing it.',
    ['lsa', 'none', 'openai', 'tei', 'ollama', 'onnx'],
  )
  embedder: 'lsa' | 'none' | 'openai' | 'tei' | 'ollama' | 'onnx' = 'lsa';

  @Text('PITH_EMBED_URL', 'Where the embedding model answers.', {
    takes: 'URL',
    pattern: /^(?:https?:\/\/\S+)?$/u,
  })
  embedUrl = '';

  @Text('PITH_EMBED_MODEL', 'Its name, or for onnx the folder that holds it.')
  embedModel = '';

  @Text('PITH_EMBED_API_KEY', 'The key for it.', { secret: true })
  embedApiKey = '';

  @Count(
    'PITH_EMBED_DIMENSIONS',
    'Components of its vectors; 0: as known of the model, or as its first answer has.',
    {
      min: 0,
      max: 8_192,
    },
  )
  embedDimensions = 0;

  @Text('PITH_EMBED_QUESTION_PREFIX', 'What it wants before a question; `auto`: as known of the model.')
  embedQuestionPrefix = 'auto';

  @Text('PITH_EMBED_SECTION_PREFIX', 'What it wants before a section; `auto`: as known of the model.')
  embedSectionPrefix = 'auto';

  @Amount(
    'PITH_EMBED_WEIGHT',
    'What its similarity counts for where the words count for 1; 0: as known of the model.',
    {
      min: 0,
      max: 10,
    },
  )
  embedWeight = 0;

  @Choice('PITH_RERANKER', 'What ranks the best sections and sentences anew: nothing, or a cross-encoder.', [
    'none',
    'tei',
    'cohere',
    'onnx',
  ])
  reranker: 'none' | 'tei' | 'cohere' | 'onnx' = 'none';

  @Text('PITH_RERANK_URL', 'Where the reranker answers.', { takes: 'URL', pattern: /^(?:https?:\/\/\S+)?$/u })
  rerankUrl = '';

  @Text('PITH_RERANK_MODEL', 'Its name, or for onnx the folder that holds it.')
  rerankModel = '';

  @Text('PITH_RERANK_API_KEY', 'The key for it.', { secret: true })
  rerankApiKey = '';

  @Text(
    'PITH_ONNX_RUNTIME',
    'The folder that holds node_modules/@huggingface/transformers, for onnx; empty: Pith finds it beside itself.',
    { takes: 'path' },
  )
  onnxRuntime = '';

  @Count(
    'PITH_MODEL_TIMEOUT_MS',
    'How long one request to a model may take (ms); indexing waits ten times as long.',
    {
      min: 50,
      max: 120_000,
    },
  )
  timeoutMs = 5_000;
}
