import { openReranker, openTextModel } from '../../src/engines/open-models.js';
import { SERVER_DIMENSIONS, startModelServer } from '../support/model-server.js';
import { modelsConfig } from '../support/models-config.js';
import { describeReranker, type RerankerSubject } from './reranker.contract.js';
import { describeTextModel, type TextModelSubject } from './text-model.contract.js';

async function textModel(embedder: 'openai' | 'tei' | 'ollama'): Promise<TextModelSubject> {
  const server = await startModelServer();
  const config = modelsConfig({ embedder, embedUrl: server.url, embedModel: 'words' });
  const model = openTextModel(config, 'serve');
  if (!model) throw new Error('a model is configured');
  return { model, dimensions: SERVER_DIMENSIONS, close: server.close };
}

async function rerankerOf(reranker: 'tei' | 'cohere'): Promise<RerankerSubject> {
  const server = await startModelServer();
  const opened = openReranker(modelsConfig({ reranker, rerankUrl: server.url, rerankModel: 'words' }));
  if (!opened) throw new Error('a reranker is configured');
  return { reranker: opened, close: server.close };
}

describeTextModel('OpenAI-compatible', () => textModel('openai'));
describeTextModel('Text Embeddings Inference', () => textModel('tei'));
describeTextModel('Ollama', () => textModel('ollama'));
describeReranker('Text Embeddings Inference', () => rerankerOf('tei'));
describeReranker('Cohere-compatible', () => rerankerOf('cohere'));
