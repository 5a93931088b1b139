import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { ENCODER, isEncoderInstalled, partFolder, RUNTIME } from '../config/installed-model.js';
import type { ModelsConfig } from '../config/settings/models.config.js';
import type { Embedder } from '../core/ports/embedder.port.js';
import type { IndexWriter } from '../core/ports/index-writer.port.js';
import type { Reranker } from '../core/ports/reranker.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { TextModel } from '../core/ports/text-model.port.js';
import { hasModelVectors } from '../sqlite/index-file.js';
import { embedderNamed, NoEmbedder } from '../sqlite/latent/embedder-named.js';
import { LatentEmbedder } from '../sqlite/latent/latent-embedder.js';
import { SqliteIndexWriter } from '../sqlite/writing/sqlite-index-writer.js';
import { Backend } from './backend.js';
import { decorated } from './models/decorated.js';
import { EMBED_DIALECTS, HttpTextModel } from './models/embedding/http-text-model.js';
import { modelSettings, type ModelUse, rerankSettings } from './models/embedding/model-settings.js';
import { modelledWriter } from './models/embedding/modelled-index-writer.js';
import { ModelledSearch } from './models/embedding/modelled-search.js';
import { OnnxTextModel } from './models/embedding/onnx-text-model.js';
import { SqliteVectorCache } from './models/embedding/sqlite-vector-cache.js';
import { isTransientHttp } from './models/http/post-json.js';
import { OnnxThread } from './models/onnx/onnx-thread.js';
import { HttpReranker, RERANK_DIALECTS } from './models/rerank/http-reranker.js';
import { OnnxReranker } from './models/rerank/onnx-reranker.js';
import { RerankedSearch } from './models/rerank/reranked-search.js';

/** Factor for the time limit of a model in an index run, where no caller waits. */
const INDEX_TIMEOUT_FACTOR = 10;
/** Maximum number of threads that embed in an index run; each takes about 300 MB. */
const MAX_ONNX_THREADS = 4;
/** Minimum time limit: the first request also loads the model, which takes seconds. */
const ONNX_TIMEOUT_MS = 60_000;

type Models = Pick<Config, 'models' | 'backends'>;

/** Number of threads, each of which computes one batch at a time. */
const onnxThreads = (use: ModelUse): number =>
  use === 'index' ? Math.min(MAX_ONNX_THREADS, availableParallelism()) : 1;

const openThread = ({ models }: Models, user: 'embedder' | 'reranker'): OnnxThread =>
  new OnnxThread(user, partFolder(models, RUNTIME));

function backendOf({ models, backends }: Models, name: 'embedder' | 'reranker', use: ModelUse): Backend {
  const isOnnx = (name === 'embedder' ? models.embedder : models.reranker) === 'onnx';
  const timeoutMs = models.timeoutMs * (use === 'index' ? INDEX_TIMEOUT_FACTOR : 1);
  return new Backend({
    name,
    title: name === 'embedder' ? 'The embedding model' : 'The reranker',
    timeoutMs: isOnnx ? Math.max(timeoutMs, ONNX_TIMEOUT_MS) : timeoutMs,
    concurrency: isOnnx ? onnxThreads(use) : backends.concurrency,
    isTransient: isTransientHttp,
  });
}

/** The settings of the encoder, installed or not. */
const encoderModels = (models: ModelsConfig): ModelsConfig => ({
  ...models,
  embedder: 'onnx',
  embedModel: partFolder(models, ENCODER),
});

/** The configured model, loaded with the first text; null without one. @throws InvalidArgumentError */
export function openTextModel(config: Models, use: ModelUse): TextModel | null {
  const { models } = config;
  const { embedder } = models;
  if (embedder === 'auto')
    return isEncoderInstalled(models)
      ? openTextModel({ ...config, models: encoderModels(models) }, use)
      : null;
  if (embedder === 'lsa' || embedder === 'none') return null;
  const settings = modelSettings(config.models, use);
  const backend = backendOf(config, 'embedder', use);
  if (embedder === 'onnx') {
    const threads = Array.from({ length: onnxThreads(use) }, () => openThread(config, 'embedder'));
    return new OnnxTextModel(settings, threads, backend);
  }
  return new HttpTextModel({ dialect: EMBED_DIALECTS[embedder], settings, backend, wait: sleep });
}

/** The configured reranker; null without one. @throws InvalidArgumentError `model_not_configured` */
export function openReranker(config: Models): Reranker | null {
  const { reranker } = config.models;
  if (reranker === 'none') return null;
  const settings = rerankSettings(config.models);
  const backend = backendOf(config, 'reranker', 'serve');
  if (reranker === 'onnx') return new OnnxReranker(settings, openThread(config, 'reranker'), backend);
  return new HttpReranker(RERANK_DIALECTS[reranker], settings, backend);
}

/**
 * The embedder for reading and writing an index: the fitted one, or a substitute with the profile of the model. With
 * `auto`, either index is read, because the encoder may have been installed or removed since it was built.
 */
export function embedderFor({ models }: Pick<Config, 'models'>, model: TextModel | null): Embedder {
  if (models.embedder !== 'auto')
    return model ? new NoEmbedder(() => model.profile) : embedderNamed(models.embedder);
  if (model) return new NoEmbedder(() => ({ ...model.profile, also: new LatentEmbedder().profile }));
  const { name, dimensions, weight } = modelSettings(encoderModels(models), 'serve');
  return new LatentEmbedder({ name, dimensions, weight, recalls: true });
}

/** The embedder for callers that have not opened the model and need only its profile. */
export function configuredEmbedder(config: Models): Embedder {
  return embedderFor(config, openTextModel(config, 'serve'));
}

/** The models of an index; null for those that are not configured. */
export abstract class OpenedModels {
  abstract readonly model: TextModel | null;
  abstract readonly reranker: Reranker | null;
}

/** The models that answer questions. @throws InvalidArgumentError `model_not_configured` */
export const openModels = (config: Models, model: TextModel | null): OpenedModels => ({
  model,
  reranker: openReranker(config),
});

/** False if the index file was built without the encoder that is installed now. */
export function usesModel(config: Models & Pick<Config, 'index'>): boolean {
  const { models, backends, index } = config;
  if (models.embedder !== 'auto' || backends.sections !== 'sqlite') return true;
  return hasModelVectors(index.file, configuredEmbedder(config).profile);
}

/** The models of a command, which does not load an encoder that the index was built without. */
export const openCommandModels = (config: Config): OpenedModels =>
  openModels(config, usesModel(config) ? openTextModel(config, 'serve') : null);

/**
 * Decorates an index with models; closing it closes them.
 * @param isUsed  false while the index has no vectors of the model
 */
export function withModels(
  index: SectionIndex,
  { model, reranker }: OpenedModels,
  isUsed?: () => boolean,
): SectionIndex {
  const modelled = model ? decorated(index, new ModelledSearch(index, model, isUsed)) : index;
  return reranker ? decorated(modelled, new RerankedSearch(modelled, reranker)) : modelled;
}

/**
 * The writer of the index file, which also requests vectors if a model is configured.
 * @param onVectors  receives the numbers of vectors requested from the model, taken from the cache, and waiting
 */
export function openIndexWriter(
  config: Models & Pick<Config, 'index'>,
  onVectors: (asked: number, cached: number, waiting: number) => void = () => undefined,
): IndexWriter {
  const model = openTextModel(config, 'index');
  const { file } = config.index;
  const inner = new SqliteIndexWriter(file, embedderFor(config, model), Date.now);
  if (!model) return inner;
  const cache = new SqliteVectorCache(`${file}.vectors`);
  return modelledWriter({ inner, model, cache, onVectors });
}
