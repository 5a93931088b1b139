import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { ModelsConfig } from '../../../config/settings/models.config.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { TextRole } from '../../../core/ports/text-model.port.js';
import { knownModel, MODEL_WEIGHT } from './model-profiles.js';

/** Everything that is settled about an embedding model before it is asked. */
export interface ModelSettings {
  /** Names it in the index: vectors of two names are never compared. */
  readonly name: string;
  /** As its server knows it; for ONNX its folder. */
  readonly model: string;
  readonly url: string;
  readonly apiKey: string;
  /** 0 where nobody said, and the first answer tells. */
  readonly dimensions: number;
  /** Whether the model is asked for vectors of so many components: it can give shorter ones. */
  readonly asksDimensions: boolean;
  readonly weight: number;
  readonly prefixes: Readonly<Record<TextRole, string>>;
  /** How often a request that failed for the time being is sent again: never for a question, which can do without. */
  readonly patience: number;
}

/** Whom the vectors are for: a run that nobody waits for, or a caller. */
export type ModelUse = 'index' | 'serve';

const INDEX_PATIENCE = 6;

/** Where Ollama listens unless told otherwise; of the others everybody has their own. */
const OLLAMA_URL = 'http://127.0.0.1:11434';

/** OpenAI's third generation can be shortened. */
const CAN_SHORTEN = /text-embedding-3-/;

const orKnown = (setting: string, known: string | undefined): string =>
  setting === 'auto' ? (known ?? '') : setting;

/** What texts are prefixed with shapes their vectors, so it is part of the name. */
function nameOf(model: string, sectionPrefix: string): string {
  const mark = createHash('sha256').update(sectionPrefix).digest('hex').slice(0, 8);
  return sectionPrefix === '' ? model : `${model}#${mark}`;
}

function missing(variable: string, embedder: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(`PITH_EMBEDDER=${embedder} needs ${variable}.`, {
    reason: 'model_not_configured',
    hint,
  });
}

/**
 * Reads the settings of an embedding model, with what is known of it where they say nothing.
 * @throws InvalidArgumentError `model_not_configured`
 */
export function modelSettings(config: ModelsConfig, use: ModelUse): ModelSettings {
  const { embedder, embedModel: model, embedDimensions, embedWeight } = config;
  const url = config.embedUrl || (embedder === 'ollama' ? OLLAMA_URL : '');
  if (model === '')
    throw missing(
      'PITH_EMBED_MODEL',
      embedder,
      'Set it to the model name; vectors are stored under this name.',
    );
  if (url === '' && embedder !== 'onnx')
    throw missing('PITH_EMBED_URL', embedder, 'Set it to the URL of the model server.');
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
    patience: use === 'index' ? INDEX_PATIENCE : 0,
  };
}
