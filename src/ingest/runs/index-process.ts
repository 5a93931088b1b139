import { fork } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment, type Environment } from '../../config/config.js';
import type { FailureFacts } from '../../core/errors.js';
import { PACKAGE_ROOT } from '../../core/package-facts.js';
import type { IndexRunProgress, IndexRunReport } from './index-processes.js';

export interface IndexProcessTask {
  /** Default: `pith index` with the folder. */
  readonly command?: readonly string[];
  /** A folder, or another source. */
  readonly folder: string;
  /** The index. */
  readonly file: string;
  /** Further arguments of `pith index`. */
  readonly args?: readonly string[];
  /** Settings beyond those of this process. */
  readonly settings?: Environment;
  readonly onProgress: (progress: IndexRunProgress) => void;
}

/** How a run ended. */
export type IndexRunEnd =
  { readonly report: IndexRunReport; readonly error?: undefined } | { readonly error: FailureFacts };

export interface IndexProcess {
  readonly ended: Promise<IndexRunEnd>;
  /** Nothing that was published is lost, and the next run continues. */
  readonly stop: () => void;
}

const STOPPED: FailureFacts = {
  code: 'BACKEND_UNAVAILABLE',
  reason: 'index_run_stopped',
  message: 'the index run stopped before it finished.',
  hint: 'Start it again; the run continues from where it stopped.',
};

function readEnd(text: string): IndexRunEnd {
  try {
    return toEnd(JSON.parse(text.trim().split('\n').at(-1) ?? ''));
  } catch {
    // The process was killed before it wrote its result.
    return { error: STOPPED };
  }
}

/** The process prints a report, or an error, of this version. */
function toEnd(output: IndexRunReport & { readonly error?: FailureFacts }): IndexRunEnd {
  const { error, ...report } = output;
  return error ? { error } : { report };
}

/** Runs `pith index`, or another command that ends with its report, in a process of its own, so that the event loop of the server stays free. */
export function startIndexProcess({
  folder,
  file,
  args = [],
  command = ['index', folder],
  ...task
}: IndexProcessTask): IndexProcess {
  const child = fork(join(PACKAGE_ROOT, 'bin', 'pith.js'), [...command, '--index', file, '--json', ...args], {
    // Our own stdout may carry the protocol, so the child's is read here.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
    env: childEnvironment(task.settings ?? {}),
  });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.on('message', (message) => task.onProgress(message as IndexRunProgress));
  const ended = new Promise<IndexRunEnd>((resolve) => {
    child.once('error', () => resolve({ error: STOPPED }));
    child.once('close', () => resolve(readEnd(output)));
  });
  return { ended, stop: () => void child.kill() };
}
