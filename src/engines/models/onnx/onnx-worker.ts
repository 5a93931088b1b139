import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { RUNTIME } from '../../../config/installed-model.js';
import { NativeGate } from '../../../core/threads/native-gate.js';
import type { OnnxFailure, OnnxRequest, OnnxResponse, OnnxTask } from './onnx-thread.js';
import { WordPiece } from './word-piece.js';

const gate = new NativeGate(workerData.gate);

class RuntimeMissing extends Error {}
class ModelUnreadable extends Error {}

/** The part of a tensor that is used. */
interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

type Tensors = Readonly<Record<string, Tensor>>;

interface ModelSession {
  readonly inputNames: readonly string[];
  run(inputs: Tensors): Promise<Tensors>;
}

/** The part of onnxruntime-web that is used; its types are not available at compile time. */
interface Runtime {
  readonly env: {
    logLevel: string;
    readonly wasm: { numThreads: number; wasmPaths: { readonly mjs: string }; wasmBinary: Uint8Array };
  };
  readonly InferenceSession: { create(model: Uint8Array): Promise<ModelSession> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

/** Token limit for models whose folder states none; a position beyond the model's table would crash it. */
const MAX_TOKENS = 512;

function readJson(...path: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(join(...path), 'utf8'));
  } catch {
    // Some models don't have this file.
    return {};
  }
}

let runtime: Runtime | undefined;

/** @throws RuntimeMissing */
function loadRuntime(): Runtime {
  if (runtime) return runtime;
  const [script, loader, binary] = RUNTIME.files.map(({ name }) => join(String(workerData.runtime), name));
  if (!script || !loader || !binary || ![script, loader, binary].every((file) => existsSync(file)))
    throw new RuntimeMissing(String(workerData.runtime));
  const loaded: Runtime = createRequire(script)(script);
  const { env } = loaded;
  env.logLevel = 'error';
  // Threads of the runtime don't start in Node. Several threads with a runtime each compute at once.
  env.wasm.numThreads = 1;
  env.wasm.wasmPaths = { mjs: pathToFileURL(loader).href };
  env.wasm.wasmBinary = readFileSync(binary);
  runtime = loaded;
  return loaded;
}

const MODEL_FILES = ['onnx/model.onnx', 'onnx/model_quantized.onnx', 'model.onnx', 'model_quantized.onnx'];

async function load(folder: string) {
  const { InferenceSession } = loadRuntime();
  try {
    const file = MODEL_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file === undefined) throw new Error(`${folder} has no onnx/model.onnx`);
    const tokens = new WordPiece(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
    const session = await InferenceSession.create(readFileSync(file));
    const { max_seq_length: most } = readJson(folder, 'sentence_bert_config.json');
    const { pooling_mode_cls_token: isCls } = readJson(folder, '1_Pooling', 'config.json');
    const maxTokens = typeof most === 'number' ? most : MAX_TOKENS;
    return { tokens, session, maxTokens, pooling: isCls === true ? 'cls' : 'mean' } as const;
  } catch (error) {
    throw new ModelUnreadable(String(error), { cause: error });
  }
}

type ReadyModel = Awaited<ReturnType<typeof load>>;
const models = new Map<string, Promise<ReadyModel>>();

function modelAt(folder: string): Promise<ReadyModel> {
  const known = models.get(folder);
  if (known) return known;
  const next = load(folder);
  models.set(folder, next);
  // The next call tries again, since files may have been added.
  next.catch(() => models.delete(folder));
  return next;
}

/** The tokens of a text. Those from `second` on are of the second text of a pair. */
interface Encoded {
  readonly ids: readonly number[];
  readonly second: number;
}

/** Runs a model on a batch, padded to its longest text. @returns the outputs, and the mask: 1 for tokens, 0 for padding */
async function runBatch({ session }: ReadyModel, batch: readonly Encoded[]) {
  const { Tensor } = loadRuntime();
  const longest = Math.max(...batch.map(({ ids }) => ids.length));
  const dims = [batch.length, longest];
  const input = (value: (text: Encoded, at: number) => number): Tensor => {
    const data = new BigInt64Array(batch.length * longest);
    for (const [row, text] of batch.entries())
      for (let at = 0; at < text.ids.length; at++) data[row * longest + at] = BigInt(value(text, at));
    return new Tensor('int64', data, dims);
  };
  const inputs: Tensors = {
    input_ids: input(({ ids }, at) => ids[at] ?? 0),
    attention_mask: input(() => 1),
    token_type_ids: input(({ second }, at) => (at < second ? 0 : 1)),
  };
  const taken = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  return session.run(Object.fromEntries(taken));
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

async function run(task: OnnxTask): Promise<number[][]> {
  const model = await modelAt(task.folder);
  const { tokens, maxTokens, pooling } = model;
  if (task.method === 'embed') {
    const batch = task.texts.map((text) => ({ ids: tokens.encode(text, maxTokens), second: maxTokens }));
    const { last_hidden_state: hidden, sentence_embedding: pooled } = await runBatch(model, batch);
    // Some models return pooled vectors.
    if (pooled) return rowsOf(pooled);
    if (!hidden) throw new ModelUnreadable('the model has no output last_hidden_state');
    return poolTokens(
      hidden,
      batch.map(({ ids }) => (pooling === 'cls' ? 1 : ids.length)),
    );
  }
  const { question } = task;
  const { logits } = await runBatch(
    model,
    task.texts.map((text) => tokens.encodePair(question, text, maxTokens)),
  );
  if (!logits) throw new ModelUnreadable('the model has no output logits');
  // A model with one label returns the relevance; with two, relevance is the second one.
  return rowsOf(logits).map((row) => [sigmoid((row.at(-1) ?? 0) - (row.length > 1 ? (row[0] ?? 0) : 0))]);
}

/**
 * Sums the vectors of the first tokens of each text. Vectors are scaled to length 1 later, so the sum is as good as the mean.
 * @param hidden  texts × tokens × components
 * @param counts  number of tokens of each text
 */
function poolTokens({ dims, data }: Tensor, counts: readonly number[]): number[][] {
  const [, tokens = 0, components = 0] = dims;
  return counts.map((count, text) => {
    const sum = new Float64Array(components);
    for (let token = text * tokens; token < text * tokens + count; token++)
      for (let i = 0; i < components; i++) sum[i] = (sum[i] ?? 0) + (data[token * components + i] ?? 0);
    return [...sum];
  });
}

function rowsOf({ dims, data }: Tensor): number[][] {
  const [rows = 0, columns = 0] = dims;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, i) => data[row * columns + i] ?? 0),
  );
}

function failureOf(error: unknown): OnnxFailure {
  if (error instanceof RuntimeMissing) return 'runtime';
  return error instanceof ModelUnreadable ? 'model' : 'other';
}

async function answer({ id, task }: OnnxRequest): Promise<OnnxResponse> {
  try {
    return { id, rows: await gate.runAsync(() => run(task)) };
  } catch (error) {
    return { id, failure: failureOf(error), message: String(error) };
  }
}

parentPort?.on('message', (message: OnnxRequest | 'close') => {
  if (message === 'close') parentPort?.close();
  else void answer(message).then((response) => parentPort?.postMessage(response));
});
