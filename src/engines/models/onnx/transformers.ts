import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../../../core/package-facts.js';

/** The optional peer's name, and what installs it beside Pith. */
export const PEER = '@huggingface/transformers';

/** As much of a tensor as is used. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
  tolist(): unknown;
}

type Inputs = Readonly<Record<string, Tensor>>;

/** Cuts texts into tokens. */
export type Tokenizer = (
  texts: readonly string[],
  options: {
    readonly text_pair?: readonly string[];
    readonly padding: true;
    readonly truncation: true;
    readonly max_length?: number;
  },
) => Inputs;

/** Computes what a model gives, by the names of its outputs. */
export type Model = (inputs: Inputs) => Promise<Readonly<Record<string, Tensor>>>;

interface Loader<T> {
  from_pretrained(name: string, options: { readonly dtype: string }): Promise<T>;
}

/** As much of the peer as is used; it is not installed where this is compiled. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly AutoTokenizer: Loader<Tokenizer>;
  readonly AutoModel: Loader<Model>;
  readonly AutoModelForSequenceClassification: Loader<Model>;
}

/** Thrown where the peer is not installed. */
export class PeerMissing extends Error {}

/**
 * Loads the peer.
 * @param folder  whose node_modules hold it; empty looks where Pith is installed, and along NODE_PATH
 * @throws PeerMissing
 */
export function loadTransformers(folder: string): Transformers {
  const require = createRequire(join(folder === '' ? PACKAGE_ROOT : resolve(folder), 'package.json'));
  try {
    // Its types are not here, and what is used of it is written down above.
    return require(PEER) as Transformers;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw new PeerMissing(error.message);
    throw error;
  }
}

/** What was loaded of a model. */
export interface LoadedModel {
  readonly tokenize: Tokenizer;
  readonly run: Model;
}

/**
 * Loads a model: from a folder, where there is one of this name, and then from nowhere else; from the hub otherwise.
 * One at a time, since the peer keeps one path for all.
 */
export async function loadModel(
  { env, AutoTokenizer, AutoModel, AutoModelForSequenceClassification }: Transformers,
  place: string,
  kind: 'encoder' | 'classifier',
): Promise<LoadedModel> {
  const folder = resolve(place);
  const isLocal = existsSync(folder);
  env.allowRemoteModels = !isLocal;
  if (isLocal) env.localModelPath = dirname(folder);
  const name = isLocal ? basename(folder) : place;
  const options = { dtype: existsSync(join(folder, 'onnx', 'model.onnx')) || !isLocal ? 'fp32' : 'q8' };
  const tokenize = await AutoTokenizer.from_pretrained(name, options);
  const loader = kind === 'encoder' ? AutoModel : AutoModelForSequenceClassification;
  return { tokenize, run: await loader.from_pretrained(name, options) };
}
