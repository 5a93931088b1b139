import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { NativeGate } from '../../../core/threads/native-gate.js';
import type { OnnxFailure, OnnxRequest, OnnxResponse, OnnxTask } from './onnx-thread.js';
import { loadModel, loadTransformers, PeerMissing, type Tensor } from './transformers.js';

const gate = new NativeGate(workerData.gate);

class ModelUnreadable extends Error {}

/** Token limit for models whose folder states none; a position beyond the model's table would crash it. */
const MAX_TOKENS = 512;

function readJson(...path: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(join(...path), 'utf8'));
  } catch {
    // Some models don't have this file, and models on the hub have no local files.
    return {};
  }
}

async function load(folder: string, kind: 'encoder' | 'classifier') {
  const transformers = loadTransformers(String(workerData.runtime));
  try {
    const model = await loadModel(transformers, folder, kind);
    const { max_seq_length: most } = readJson(folder, 'sentence_bert_config.json');
    const { pooling_mode_cls_token: isCls } = readJson(folder, '1_Pooling', 'config.json');
    const maxTokens = typeof most === 'number' ? most : MAX_TOKENS;
    return { ...model, maxTokens, pooling: isCls === true ? 'cls' : 'mean' } as const;
  } catch (error) {
    throw new ModelUnreadable(String(error), { cause: error });
  }
}

type ReadyModel = Awaited<ReturnType<typeof load>>;
const models = new Map<string, Promise<ReadyModel>>();
let loading: Promise<unknown> = Promise.resolve();

function modelAt(folder: string, kind: 'encoder' | 'classifier'): Promise<ReadyModel> {
  const key = `${kind}:${folder}`;
  const known = models.get(key);
  if (known) return known;
  const next = loading.then(() => load(folder, kind));
  // The next call tries again, since files may have been added.
  loading = next.catch(() => models.delete(key));
  models.set(key, next);
  return next;
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

async function run(task: OnnxTask): Promise<number[][]> {
  const kind = task.method === 'embed' ? 'encoder' : 'classifier';
  const { tokenize, run: ask, maxTokens, pooling } = await modelAt(task.folder, kind);
  const cut = { padding: true, truncation: true, max_length: maxTokens } as const;
  if (task.method === 'embed') {
    const inputs = tokenize(task.texts, cut);
    const { last_hidden_state: hidden, sentence_embedding: pooled } = await ask(inputs);
    // Some models return pooled vectors.
    if (pooled) return rowsOf(pooled);
    if (!hidden || !inputs['attention_mask'])
      throw new ModelUnreadable('the model has no output last_hidden_state');
    return poolTokens(hidden, inputs['attention_mask'], pooling);
  }
  const questions = task.texts.map(() => task.question);
  const { logits } = await ask(tokenize(questions, { ...cut, text_pair: task.texts }));
  if (!logits) throw new ModelUnreadable('the model has no output logits');
  // A model with one label returns the relevance; with two, relevance is the second one.
  return rowsOf(logits).map((row) => [sigmoid((row.at(-1) ?? 0) - (row.length > 1 ? (row[0] ?? 0) : 0))]);
}

/**
 * Pools the token vectors of each text into one: their mean, or the first token's vector, depending on the model.
 * @param hidden  texts × tokens × components
 * @param mask  texts × tokens, 1 for tokens of the text, 0 for padding
 */
function poolTokens(hidden: Tensor, mask: Tensor, pooling: 'mean' | 'cls'): number[][] {
  const [texts = 0, tokens = 0, components = 0] = hidden.dims;
  // Read once: each access to `data` creates a new array.
  const [values, seen] = [hidden.data, mask.data];
  const last = pooling === 'cls' ? 1 : tokens;
  return Array.from({ length: texts }, (_, text) => {
    const sum = new Float64Array(components);
    for (let at = text * tokens; at < text * tokens + last; at++) {
      // The mask contains bigints (64-bit integers).
      if (Number(seen[at]) === 0) continue;
      for (let i = 0; i < components; i++) sum[i] = (sum[i] ?? 0) + (values[at * components + i] ?? 0);
    }
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
  if (error instanceof PeerMissing) return 'peer';
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
