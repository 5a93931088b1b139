import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { givenPath } from '../../../config/given-path.js';
import type { ModelsConfig } from '../../../config/settings/models.config.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { ServedModel } from '../http/ask-model.js';
import { knownModel, MODEL_WEIGHT } from './model-profiles.js';

/** The resolved settings of an embedding model. */
export interface ModelSettings extends ServedModel {
  /** Name in the index; vectors with different names are never compared. */
  readonly name: string;
  /** 0 if not configured; the first answer then sets it. */
  readonly dimensions: number;
  /** True if requests ask for vectors of this length, for models that can shorten them. */
  readonly asksDimensions: boolean;
  readonly weight: number;
  readonly prefixes: Readonly<Record<TextRole, string>>;
  /** Number of retries after temporary failures; 0 for questions, which can be answered without vectors. */
  readonly retries: number;
}

/** The use of the vectors: a background indexing run, or a waiting caller. */
export type ModelUse = 'index' | 'serve';

const INDEX_RETRIES = 6;

/** Ollama's default address; other servers have none. */
const OLLAMA_URL = 'http://127.0.0.1:11434';

/** OpenAI's third generation can return shorter vectors. */
const CAN_SHORTEN = /text-embedding-3-/;

const orKnown = (setting: string, known: string | undefined): string =>
  setting === 'auto' ? (known ?? '') : setting;

/** The prefix of sections changes their vectors, so its hash is part of the name. */
function nameOf(model: string, sectionPrefix: string): string {
  const mark = createHash('sha256').update(sectionPrefix).digest('hex').slice(0, 8);
  return sectionPrefix === '' ? model : `${model}#${mark}`;
}

/** The error for a model with a missing setting. @param choice  such as `PITH_EMBEDDER=tei` */
export function settingMissing(choice: string, variable: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(`${choice} needs ${variable}.`, { reason: 'model_not_configured', hint });
}

/** The folder of an ONNX model. @throws InvalidArgumentError `model_not_configured` */
function modelFolder(given: string): string {
  const { path, problem } = givenPath(given);
  if (problem === null) return path;
  throw new InvalidArgumentError(`The folder of the ONNX model: ${problem}.`, {
    reason: 'model_not_configured',
    hint: 'Correct PITH_EMBED_MODEL, PITH_RERANK_MODEL or SURR_EMBED_MODEL.',
  });
}

/** Completes settings from the table of known models. @throws InvalidArgumentError `model_not_configured` */
export function modelSettings(config: ModelsConfig, use: ModelUse): ModelSettings {
  const { embedder, embedModel, embedDimensions, embedWeight } = config;
  const model = embedder === 'onnx' ? modelFolder(embedModel) : embedModel;
  const url = config.embedUrl || (embedder === 'ollama' ? OLLAMA_URL : '');
  const choice = `PITH_EMBEDDER=${embedder}`;
  const nameHint = 'Set it to the model name; vectors are stored under this name.';
  if (model === '') throw settingMissing(choice, 'PITH_EMBED_MODEL', nameHint);
  if (url === '' && embedder !== 'onnx')
    throw settingMissing(choice, 'PITH_EMBED_URL', 'Set it to the URL of the model server.');
  const known = knownModel(model);
  const prefixes = {
    question: orKnown(config.embedQuestionPrefix, known?.question),
    section: orKnown(config.embedSectionPrefix, known?.section),
  };
  return {
    name: nameOf(embedder === 'onnx' ? basename(resolve(model)) : model, prefixes.section),
    model,
    url,
    apiKey: config.embedApiKey,
    dimensions: embedDimensions || (known?.dimensions ?? 0),
    asksDimensions: embedDimensions > 0 && CAN_SHORTEN.test(model),
    weight: embedWeight || MODEL_WEIGHT,
    prefixes,
    retries: use === 'index' ? INDEX_RETRIES : 0,
  };
}

/** Resolves the settings of a reranker. @throws InvalidArgumentError `model_not_configured` */
export function rerankSettings(config: ModelsConfig): ServedModel {
  const { reranker, rerankUrl: url, rerankModel: model, rerankApiKey: apiKey } = config;
  const missing = (variable: string): InvalidArgumentError =>
    settingMissing(`PITH_RERANKER=${reranker}`, variable, `Set ${variable}, or PITH_RERANKER=none.`);
  // TEI serves one model and needs no name.
  if (model === '' && reranker !== 'tei') throw missing('PITH_RERANK_MODEL');
  if (url === '' && reranker !== 'onnx') throw missing('PITH_RERANK_URL');
  return { model: reranker === 'onnx' ? modelFolder(model) : model || reranker, url, apiKey };
}
