import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { Backend } from '../../backend.js';
import { explainFailure } from '../http/ask-model.js';
import type { OnnxThread } from '../onnx/onnx-thread.js';
import { CheckedTextModel } from './checked-text-model.js';
import type { ModelSettings } from './model-settings.js';
import { batchTexts, byLength, prepareText } from './model-texts.js';

/** Small batches, so that the thread can answer questions between them. Sorted by length they need little padding. */
const BATCH = { texts: 8, chars: 20_000 };

/** An ONNX model in this process, from a folder. */
export class OnnxTextModel extends CheckedTextModel {
  constructor(
    settings: ModelSettings,
    /** Each computes one batch at a time. */
    private readonly threads: readonly OnnxThread[],
    private readonly backend: Backend,
  ) {
    super(settings, settings.name);
  }

  async embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]> {
    const prepared = texts.map((text) => prepareText(text, role, this.settings));
    const order = byLength(prepared);
    const vectors = new Array<Float32Array>(texts.length);
    const sorted = order.map((i) => prepared[i] ?? '');
    // The longest texts first, so that all threads end at nearly the same time.
    const batches = batchTexts(sorted.reverse(), BATCH);
    const places = order.reverse();
    let [taken, next] = [0, 0];
    const work = async (thread: OnnxThread): Promise<void> => {
      for (let batch = batches[next++]; batch; batch = batches[next++]) {
        const first = taken;
        taken += batch.length;
        for (const [i, vector] of (await this.ask(thread, batch)).entries())
          vectors[places[first + i] ?? 0] = vector;
      }
    };
    await Promise.all(this.threads.map(work));
    return vectors;
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private async ask(thread: OnnxThread, texts: readonly string[]): Promise<Float32Array[]> {
    const { model } = this.settings;
    try {
      const task = { method: 'embed', folder: model, texts } as const;
      const rows = await this.backend.read((signal) => thread.ask(task, signal));
      return this.checked(rows, texts.length);
    } catch (error) {
      throw explainFailure(error, { reason: 'embedder', title: 'The ONNX model', model });
    }
  }
}
