import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { Backend } from '../../backend.js';
import { explainFailure } from '../http/ask-model.js';
import type { OnnxThread } from '../onnx/onnx-thread.js';
import { CheckedTextModel } from './checked-text-model.js';
import type { ModelSettings } from './model-settings.js';
import { batchTexts, byLength, prepareText } from './model-texts.js';

/** Small batches, so that the thread can answer questions between them. Sorted by length they need little padding. */
const BATCH = { texts: 8, chars: 20_000 };

/** An ONNX model in this process, from a folder or the hub. */
export class OnnxTextModel extends CheckedTextModel {
  constructor(
    settings: ModelSettings,
    private readonly thread: OnnxThread,
    private readonly backend: Backend,
  ) {
    super(settings, settings.name);
  }

  async embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]> {
    const prepared = texts.map((text) => prepareText(text, role, this.settings));
    const order = byLength(prepared);
    const vectors = new Array<Float32Array>(texts.length);
    const sorted = order.map((i) => prepared[i] ?? '');
    let done = 0;
    for (const batch of batchTexts(sorted, BATCH))
      for (const vector of await this.ask(batch)) vectors[order[done++] ?? 0] = vector;
    return vectors;
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async ask(texts: readonly string[]): Promise<Float32Array[]> {
    const { model } = this.settings;
    try {
      const task = { method: 'embed', folder: model, texts } as const;
      const rows = await this.backend.read((signal) => this.thread.ask(task, signal));
      return this.checked(rows, texts.length);
    } catch (error) {
      throw explainFailure(error, { reason: 'embedder', title: 'The ONNX model', model });
    }
  }
}
