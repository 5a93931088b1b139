import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { givenPath } from '../../../config/given-path.js';
import type { ModelsConfig } from '../../../config/settings/models.config.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { ServedModel } from '../http/ask-model.js';

interface KnownModel {
  /** Prefix of the model name, in lower case and without the owner. */
  readonly name: string;
  /** Null if models with this prefix differ; the first answer then sets it. */
  readonly dimensions: number | null;
  /** Prefix that the model expects before a question. */
  readonly question: string;
  /** Prefix that the model expects before an indexed text. */
  readonly section: string;
}

/** Default weight of vector similarity, measured with all-MiniLM-L6-v2 (docs/quality.md); a guess for other models. */
const MODEL_WEIGHT = 1;

const BGE = 'Represent this sentence for searching relevant passages: ';
const QWEN3 = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const E5 = ['query: ', 'passage: '] as const;

type ModelRow = readonly [name: string, dimensions: number | null, question?: string, section?: string];

/** Source: the model cards. */
const KNOWN_MODELS: readonly ModelRow[] = [
  ['all-minilm', 384],
  ['multi-qa-minilm-l6', 384],
  ['all-mpnet-base', 768],
  ['multi-qa-mpnet-base', 768],
  ['paraphrase-multilingual-minilm', 384],
  ['gte-small', 384],
  ['gte-base', 768],
  ['gte-large', 1024],
  ['gte-modernbert-base', 768],
  ['jina-embeddings-v2-small', 512],
  ['jina-embeddings-v2-base', 768],
  ['text-embedding-ada-002', 1536],
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['bge-m3', 1024],
  ['bge-small-en', 384, BGE],
  ['bge-base-en', 768, BGE],
  ['bge-large', 1024, BGE],
  ['mxbai-embed-large', 1024, BGE],
  ['snowflake-arctic-embed', null, BGE],
  ['snowflake-arctic-embed-xs', 384, BGE],
  ['snowflake-arctic-embed-s', 384, BGE],
  ['snowflake-arctic-embed-m', 768, BGE],
  ['snowflake-arctic-embed-l', 1024, BGE],
  ['e5-small', 384, ...E5],
  ['e5-base', 768, ...E5],
  ['e5-large', 1024, ...E5],
  ['multilingual-e5-small', 384, ...E5],
  ['multilingual-e5-base', 768, ...E5],
  ['multilingual-e5-large', 1024, ...E5],
  ['nomic-embed-text', 768, 'search_query: ', 'search_document: '],
  ['embeddinggemma', 768, 'task: search result | query: ', 'title: none | text: '],
  ['qwen3-embedding', null, QWEN3],
];

/** Looks up a model by a name such as `BAAI/bge-small-en-v1.5` or `all-minilm:l6-v2`; null for unknown ones. */
export function knownModel(model: string): KnownModel | null {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase();
  const known = KNOWN_MODELS.filter(([prefix]) => name.startsWith(prefix));
  const [longest] = known.sort(([a], [b]) => b.length - a.length);
  if (!longest) return null;
  const [prefix, dimensions, question = '', section = ''] = longest;
  return { name: prefix, dimensions, question, section };
}

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
