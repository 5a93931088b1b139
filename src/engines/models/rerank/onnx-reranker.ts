import { Reranker } from '../../../core/ports/reranker.port.js';
import type { Backend } from '../../backend.js';
import { byLength } from '../embedding/model-texts.js';
import type { ServedModel } from '../http/ask-model.js';
import type { OnnxThread } from '../onnx/onnx-thread.js';

/** Texts per batch; all texts of a batch are padded to the longest, so large batches waste time. */
const BATCH = 8;

/** An ONNX cross-encoder in this process, from a folder. */
export class OnnxReranker extends Reranker {
  constructor(
    private readonly settings: ServedModel,
    private readonly thread: OnnxThread,
    private readonly backend: Backend,
  ) {
    super();
  }

  async score(question: string, texts: readonly string[]): Promise<readonly number[]> {
    const { model: folder } = this.settings;
    const order = byLength(texts);
    const scores = new Array<number>(texts.length).fill(0);
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = order.slice(start, start + BATCH);
      const task = { method: 'score', folder, question, texts: batch.map((i) => texts[i] ?? '') } as const;
      const rows = await this.backend.read((signal) => this.thread.ask(task, signal));
      for (const [at, i] of batch.entries()) scores[i] = rows[at]?.[0] ?? 0;
    }
    return scores;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
