import type { ModelsConfig } from '../../../config/settings/models.config.js';
import type { InvalidArgumentError } from '../../../core/errors.js';
import { settingMissing } from '../embedding/model-settings.js';

/** The resolved settings of a reranker. */
export interface RerankSettings {
  /** The server's name for the model; for ONNX its folder. */
  readonly model: string;
  readonly url: string;
  readonly apiKey: string;
}

function missing(variable: string, reranker: string): InvalidArgumentError {
  return settingMissing(`PITH_RERANKER=${reranker}`, variable, `Set ${variable}, or PITH_RERANKER=none.`);
}

/** Resolves the settings of a reranker. @throws InvalidArgumentError `model_not_configured` */
export function rerankSettings(config: ModelsConfig): RerankSettings {
  const { reranker, rerankUrl: url, rerankModel: model, rerankApiKey: apiKey } = config;
  // TEI serves one model and needs no name.
  if (model === '' && reranker !== 'tei') throw missing('PITH_RERANK_MODEL', reranker);
  if (url === '' && reranker !== 'onnx') throw missing('PITH_RERANK_URL', reranker);
  return { model: model || reranker, url, apiKey };
}
