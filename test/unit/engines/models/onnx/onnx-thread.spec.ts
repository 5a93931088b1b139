import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { ENCODER, RUNTIME } from '../../../../../src/config/installed-model.js';
import { OnnxThread } from '../../../../../src/engines/models/onnx/onnx-thread.js';

/** Answers each task as the thread does when it can't load the model. */
class FailingWorker extends EventEmitter {
  readonly ref = jest.fn();
  readonly unref = jest.fn();
  postMessage({ id }: { readonly id: number }): void {
    setImmediate(() => this.emit('message', { id, failure: 'model', message: 'damaged' }));
  }
}

jest.mock('../../../../../src/core/threads/gated-thread.js', () => ({
  startThread: () => ({ worker: new FailingWorker() }),
}));

const root = join('data', 'models');
const thread = new OnnxThread('embedder', join(root, RUNTIME.folder));
const askWith = (folder: string) =>
  thread.ask({ method: 'embed', folder, texts: ['text'] }, new AbortController().signal);

describe('OnnxThread', () => {
  it('names the commands that repair the installed encoder', async () => {
    const hint = expect.stringMatching(/`pith model install`.*`pith model remove`/);
    await expect(askWith(join(root, ENCODER.folder))).rejects.toMatchObject({ reason: 'embedder', hint });
  });

  it('names the setting of any other model', async () => {
    await expect(askWith(join('my', 'model'))).rejects.toMatchObject({
      hint: expect.stringContaining('PITH_EMBED_MODEL'),
    });
  });
});
