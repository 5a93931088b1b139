/** What the thread is asked to do, and with what. */
export type OnnxTask =
  | { readonly method: 'embed'; readonly folder: string; readonly texts: readonly string[] }
  | {
      readonly method: 'score';
      readonly folder: string;
      readonly question: string;
      readonly texts: readonly string[];
    };

/** A task on its way to the thread. */
export interface OnnxRequest {
  readonly id: number;
  readonly task: OnnxTask;
}

/** Why a task failed: the peer is not installed, the model can't be loaded, or anything else. */
export type OnnxTrouble = 'peer' | 'model' | 'other';

/** What became of it: a row for each text, or what went wrong. */
export type OnnxResponse =
  | { readonly id: number; readonly rows: readonly (readonly number[])[] }
  | { readonly id: number; readonly trouble: OnnxTrouble; readonly message: string };
