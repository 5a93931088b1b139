import type { Config } from '../config/config.js';
import { isModelProvider, type ModelProvider, type ModelsConfig } from '../config/settings/models.config.js';
import { InvalidArgumentError } from '../core/errors.js';
import { BUILT_IN_PROVIDER, type MemoryStore } from '../core/ports/memory-store.port.js';
import { embedderNamed } from '../sqlite/latent/embedder-named.js';
import { MemoryWriter } from '../sqlite/memory/memory-writer.js';
import type { MemoryModel } from '../sqlite/memory/modelled-rows.js';
import { SqliteMemoryStore } from '../sqlite/memory/sqlite-memory-store.js';
import type { ReaderThreads } from '../sqlite/reader-threads.js';
import { type ModelUse, settingMissing } from './models/embedding/model-settings.js';
import { ModelledMemoryStore } from './models/embedding/modelled-memory-store.js';
import { openTextModel } from './open-models.js';

const OPENAI_URL = 'https://api.openai.com';

type MemoryConfig = Pick<Config, 'models' | 'innerVoice' | 'backends'>;

/** The embedder of memory: SURR_EMBED_PROVIDER, or else the model of the documents, or else the built-in one. */
function memoryProvider({ models, innerVoice }: MemoryConfig): string {
  if (innerVoice.embedProvider !== '') return innerVoice.embedProvider;
  return isModelProvider(models.embedder) ? models.embedder : BUILT_IN_PROVIDER;
}

function missing(provider: string, variable: string): InvalidArgumentError {
  const hint = `Set ${variable}, or SURR_EMBED_PROVIDER=${BUILT_IN_PROVIDER} for the built-in embedder.`;
  return settingMissing(`SURR_EMBED_PROVIDER=${provider}`, variable, hint);
}

/** The settings of memory's model. Missing ones come from the model of the documents if it has the same provider. */
function memoryModels({ models, innerVoice }: MemoryConfig, embedder: ModelProvider): ModelsConfig {
  const isShared = models.embedder === embedder;
  const embedModel = innerVoice.embedModel || (isShared ? models.embedModel : '');
  const isSame = isShared && embedModel === models.embedModel;
  const embedUrl = models.embedUrl || (embedder === 'openai' ? OPENAI_URL : '');
  if (embedModel === '') throw missing(embedder, 'SURR_EMBED_MODEL');
  if (embedUrl === '' && embedder === 'tei') throw missing(embedder, 'PITH_EMBED_URL');
  const embedDimensions = innerVoice.embedDim || (isSame ? models.embedDimensions : 0);
  return { ...models, embedder, embedModel, embedUrl, embedDimensions };
}

/** The model that embeds memory; null for the built-in embedder. @throws InvalidArgumentError `model_not_configured` */
function memoryModel(config: MemoryConfig, use: ModelUse): MemoryModel | null {
  const provider = memoryProvider(config);
  if (provider === BUILT_IN_PROVIDER) return null;
  if (!isModelProvider(provider)) {
    throw new InvalidArgumentError(`${JSON.stringify(provider)} is not a known embedder.`, {
      reason: 'model_not_configured',
      hint: `Set SURR_EMBED_PROVIDER to openai, tei, ollama, onnx or ${BUILT_IN_PROVIDER}.`,
    });
  }
  const { backends } = config;
  const model = openTextModel({ models: memoryModels(config, provider), backends }, use);
  return model && { provider, model };
}

/** Memory for a server. With an incomplete configuration of its model, calls fail, but the server starts. */
export function openMemory(config: MemoryConfig, thread: ReaderThreads): MemoryStore {
  const store = new SqliteMemoryStore(thread, memoryProvider(config));
  try {
    const own = memoryModel(config, 'serve');
    return own ? new ModelledMemoryStore(store, own.provider, own.model) : store;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return store;
    throw error;
  }
}

/** The writer of memory in the index file. @throws InvalidArgumentError `model_not_configured` */
export function openMemoryWriter(config: Config): MemoryWriter {
  return new MemoryWriter(config.index.file, embedderNamed('lsa'), memoryModel(config, 'index'));
}
