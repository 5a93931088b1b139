import { Presets, SingleBar } from 'cli-progress';
import type { PublishStep } from '../core/ports/index-writer.port.js';
import type { IndexRunProgress } from '../ingest/runs/index-processes.js';

export interface WorkProgress {
  readonly done: number;
  readonly total: number;
}

interface WorkWords {
  readonly verb: string;
  readonly noun: string;
}

interface View<T> {
  readonly update: (progress: T) => void;
  readonly stop: () => void;
}

export type ProgressView = View<WorkProgress>;

/** Without a terminal, progress is one line per tenth of the files. With fewer files than this, no line is written. */
const MIN_FILES_FOR_LINES = 200;

/** The estimate of a long wait; empty for a short one. */
function timeLeft({ done, total }: WorkProgress, elapsedMs: number): string {
  const minutes = Math.round((elapsedMs * (total - done)) / Math.max(1, done) / 60_000);
  return minutes < 1 ? '' : `, about ${minutes} min left`;
}

function plainLines(stream: NodeJS.WriteStream, { verb, noun }: WorkWords): ProgressView {
  const startedAt = performance.now();
  let lastTenth = 0;
  return {
    update: ({ done, total }) => {
      const tenth = Math.floor((done * 10) / Math.max(1, total));
      if (total < MIN_FILES_FOR_LINES || tenth === lastTenth) return;
      lastTenth = tenth;
      const left = timeLeft({ done, total }, performance.now() - startedAt);
      stream.write(`${verb}: ${done} of ${total} ${noun}${left}\n`);
    },
    stop: () => undefined,
  };
}

const terminalBar = (stream: NodeJS.WriteStream, format: string): SingleBar =>
  new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);

function bar(stream: NodeJS.WriteStream, { verb, noun }: WorkWords): ProgressView {
  const view = terminalBar(stream, `${verb} {bar} {value}/{total} ${noun}, {eta_formatted} left`);
  let isStarted = false;
  return {
    update: ({ done, total }) => {
      if (!isStarted) view.start(total, done);
      isStarted = true;
      // A total may be an estimate.
      view.setTotal(total);
      view.update(done);
    },
    stop: () => view.stop(),
  };
}

/** Shortest time between two messages to a parent process (ms). */
const RELAY_MS = 200;

/** Sends progress to the parent process; null if this process was not forked. */
function relayed(words: WorkWords): ProgressView | null {
  const { send } = process;
  if (!send) return null;
  // If the parent has ended, the run continues.
  const tellParent = (message: IndexRunProgress) =>
    process.connected && send.call(process, message, () => undefined);
  let sentAt = -Infinity;
  return {
    update: ({ done, total }) => {
      if (performance.now() - sentAt < RELAY_MS && done < total) return;
      sentAt = performance.now();
      tellParent({ ...words, done, total });
    },
    stop: () => undefined,
  };
}

/** Displays the steps of a publish. Without a terminal, they are lines, written only after many files. */
export function showSteps(stream: NodeJS.WriteStream, files: () => number): View<PublishStep> {
  const parent = relayed({ verb: 'publishing', noun: 'steps' });
  if (parent) return parent;
  if (!stream.isTTY) {
    const update = ({ name }: PublishStep): void => {
      if (files() >= MIN_FILES_FOR_LINES) stream.write(`publishing: ${name}\n`);
    };
    return { update, stop: () => undefined };
  }
  const view = terminalBar(stream, 'publishing {bar} {value}/{total} steps: {name}');
  return {
    update: ({ name, done, total }) => {
      if (done === 0) view.start(total, 0, { name });
      view.update(done, { name });
      // The next step blocks the timer of the bar.
      view.render();
    },
    stop: () => view.stop(),
  };
}

/** Displays progress: messages to a parent process, else a bar on a terminal, else lines. */
export function showProgress(
  stream: NodeJS.WriteStream,
  words: WorkWords = { verb: 'indexing', noun: 'files' },
): ProgressView {
  return relayed(words) ?? (stream.isTTY ? bar(stream, words) : plainLines(stream, words));
}

/** Displays the progress of several pieces of work, one display for each verb. */
export function showEach(stream: NodeJS.WriteStream): View<IndexRunProgress> {
  const views = new Map<string, ProgressView>();
  return {
    update: ({ verb, noun, done, total }) => {
      const view = views.get(verb) ?? showProgress(stream, { verb, noun });
      views.set(verb, view);
      view.update({ done, total });
    },
    stop: () => {
      views.forEach((view) => view.stop());
      views.clear();
    },
  };
}
