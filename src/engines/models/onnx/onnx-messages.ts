/** A task for the thread. */
export type OnnxTask =
  | { readonly method: 'embed'; readonly folder: string; readonly texts: readonly string[] }
  | {
      readonly method: 'score';
      readonly folder: string;
      readonly question: string;
      readonly texts: readonly string[];
    };

/** The message that sends a task to the thread. */
export interface OnnxRequest {
  readonly id: number;
  readonly task: OnnxTask;
}

/** The cause of a failed task: the peer dependency is not installed, the model can't be loaded, or anything else. */
export type OnnxFailure = 'peer' | 'model' | 'other';

/** The result of a task: one row per text, or the failure. */
export type OnnxResponse =
  | { readonly id: number; readonly rows: readonly (readonly number[])[] }
  | { readonly id: number; readonly failure: OnnxFailure; readonly message: string };
