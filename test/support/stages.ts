import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOOK = join(__dirname, 'stages-hook.cjs');

/** The environment that makes a server record the stages of its calls. */
export function recordedStagesEnv(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--require "${HOOK}"`, STAGES_FILE: file };
}

/** A stage that a call has entered. */
export interface EnteredStage {
  /** Of the call. */
  readonly id: string;
  readonly stage: string;
}

/** The recorded stages of all calls, in the order in which they were entered. */
export function readStages(file: string): EnteredStage[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EnteredStage);
}
