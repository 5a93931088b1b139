import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../../../core/package-facts.js';

/** Package name of the optional peer dependency. */
export const PEER = '@huggingface/transformers';

/** The part of a tensor that is used. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

type Inputs = Readonly<Record<string, Tensor>>;

type Tokenizer = (
  texts: readonly string[],
  options: {
    readonly text_pair?: readonly string[];
    readonly padding: true;
    readonly truncation: true;
    readonly max_length?: number;
  },
) => Inputs;

/** Runs a model; the result is keyed by output name. */
type Model = (inputs: Inputs) => Promise<Readonly<Record<string, Tensor>>>;

interface Loader<T> {
  from_pretrained(name: string, options: { readonly dtype: string }): Promise<T>;
}

/** The part of the peer dependency that is used; its own types are not available at compile time. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly AutoTokenizer: Loader<Tokenizer>;
  readonly AutoModel: Loader<Model>;
  readonly AutoModelForSequenceClassification: Loader<Model>;
}

/** The peer dependency is not installed. */
export class PeerMissing extends Error {}

/** Loads the peer from the node_modules of `folder`, of Pith if it is '', or from NODE_PATH. @throws PeerMissing */
export function loadTransformers(folder: string): Transformers {
  const require = createRequire(join(folder === '' ? PACKAGE_ROOT : resolve(folder), 'package.json'));
  try {
    // The peer's types are not available; the interface above declares the part that is used.
    return require(PEER) as Transformers;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw new PeerMissing(error.message);
    throw error;
  }
}

/** Loads a model from the folder `place` if that exists, else from the hub. Calls must not overlap: `env` is global. */
export async function loadModel(
  { env, AutoTokenizer, AutoModel, AutoModelForSequenceClassification }: Transformers,
  place: string,
  kind: 'encoder' | 'classifier',
): Promise<{ readonly tokenize: Tokenizer; readonly run: Model }> {
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
