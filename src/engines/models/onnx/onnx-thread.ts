import { dirname, join } from 'node:path';
import { ENCODER } from '../../../config/installed-model.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { AnsweringThread } from '../../../core/threads/answering-thread.js';

/** A task for the thread. */
export type OnnxTask = { readonly folder: string; readonly texts: readonly string[] } & (
  { readonly method: 'embed' } | { readonly method: 'score'; readonly question: string }
);

/** The message that sends a task to the thread. */
export interface OnnxRequest {
  readonly id: number;
  readonly task: OnnxTask;
}

/** The cause of a failed task: the runtime is not installed, the model can't be loaded, or anything else. */
export type OnnxFailure = 'runtime' | 'model' | 'other';

type Rows = readonly (readonly number[])[];

/** The result of a task: one row per text, or the failure. */
export type OnnxResponse =
  | { readonly id: number; readonly rows: Rows }
  | { readonly id: number; readonly failure: OnnxFailure; readonly message: string };

type OnnxUser = 'embedder' | 'reranker';

const HINTS: Readonly<Record<OnnxFailure, (user: OnnxUser) => string>> = {
  runtime: () => 'Run `pith model install`, which brings it.',
  model: (user) =>
    `Set ${user === 'embedder' ? 'PITH_EMBED_MODEL' : 'PITH_RERANK_MODEL'} to a folder with onnx/model.onnx and the tokenizer.json of a BERT model (WordPiece).`,
  other: () => 'Try again. The server log has the cause.',
};

const MESSAGES: Readonly<Record<OnnxFailure, string>> = {
  runtime: 'ONNX models need a runtime, which is not installed.',
  model: "The ONNX model can't be loaded.",
  other: 'The ONNX model failed.',
};

const ENCODER_HINT =
  'A file of the encoder may be damaged. Run `pith model install`, which replaces such files, or `pith model remove`.';

interface Failed {
  readonly cause: unknown;
  readonly hint?: string;
}

function failed(
  user: OnnxUser,
  failure: OnnxFailure,
  { cause, hint = HINTS[failure](user) }: Failed,
): BackendUnavailableError {
  return new BackendUnavailableError(MESSAGES[failure], { reason: user, hint, cause });
}

/** Runs models on their own thread, since the runtime blocks. It starts with the first task, and again if it dies. */
export class OnnxThread {
  private readonly thread: AnsweringThread<OnnxResponse>;

  constructor(
    private readonly user: OnnxUser,
    /** The folder of the runtime. */
    private readonly runtime: string,
  ) {
    const lost = (cause: unknown = new Error('the thread ended')): Error => failed(user, 'other', { cause });
    this.thread = new AnsweringThread({ script: 'onnx-worker.cjs', data: { runtime }, lost });
  }

  /**
   * @param signal  a running computation can't be cancelled; its result is ignored
   * @throws BackendUnavailableError `embedder` or `reranker`
   */
  async ask(task: OnnxTask, signal: AbortSignal): Promise<Rows> {
    const response = await this.thread.ask({ task }, signal);
    if ('rows' in response) return response.rows;
    throw this.failedIn(task.folder, response.failure, new Error(response.message));
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private failedIn(folder: string, failure: OnnxFailure, cause: Error): BackendUnavailableError {
    const isEncoder = folder === join(dirname(this.runtime), ENCODER.folder);
    return failed(
      this.user,
      failure,
      isEncoder && failure === 'model' ? { cause, hint: ENCODER_HINT } : { cause },
    );
  }
}
