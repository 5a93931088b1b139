/** The field of `_meta` in which a client names the run that a call belongs to. */
export const RUN_FIELD = 'pith/run_id';
/** Clients can't name the runs of sessions. */
const RUN_ID = /^(?!session:)[\w.:-]{1,128}$/;

/** The run that a client names in `_meta`; null if it names none, or if the name is not valid. */
export function namedRun(meta: unknown): string | null {
  const named: unknown = Object(meta)[RUN_FIELD];
  return typeof named === 'string' && RUN_ID.test(named) ? named : null;
}
