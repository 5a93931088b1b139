import { Presets, SingleBar } from 'cli-progress';
import type { PublishStep } from '../core/ports/index-writer.port.js';

/** How far a piece of work is. */
export interface WorkProgress {
  readonly done: number;
  readonly total: number;
}

/** The verb and the noun of a progress line. */
export interface WorkWords {
  readonly verb: string;
  readonly noun: string;
}

/** A progress display. */
interface View<T> {
  readonly update: (progress: T) => void;
  readonly stop: () => void;
}

export type ProgressView = View<WorkProgress>;

/** Progress as a forked process sends it. */
export type RelayedProgress = WorkProgress & WorkWords;

/** Without a terminal, one line for each tenth; a run of few files stays silent. */
const MIN_FILES_FOR_LINES = 200;

function plainLines(stream: NodeJS.WriteStream, { verb, noun }: WorkWords): ProgressView {
  let lastTenth = 0;
  return {
    update: ({ done, total }) => {
      const tenth = Math.floor((done * 10) / Math.max(1, total));
      if (total < MIN_FILES_FOR_LINES || tenth === lastTenth) return;
      lastTenth = tenth;
      stream.write(`${verb}: ${done} of ${total} ${noun}\n`);
    },
    stop: () => undefined,
  };
}

function bar(stream: NodeJS.WriteStream, { verb, noun }: WorkWords): ProgressView {
  const format = `${verb} {bar} {value}/{total} ${noun}, {eta_formatted} left`;
  const view = new SingleBar(
    { format, stream, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  let isStarted = false;
  return {
    update: ({ done, total }) => {
      if (!isStarted) view.start(total, done);
      isStarted = true;
      view.update(done);
    },
    stop: () => view.stop(),
  };
}

/** A parent process is told no more often than this; it counts, it does not watch. */
const RELAY_MS = 200;

/** Sends progress to the process that forked this one; null where none did. */
function relayed(words: WorkWords): ProgressView | null {
  const { send } = process;
  if (!send) return null;
  // The parent may have ended; a run without a listener goes on.
  const tellParent = (message: RelayedProgress) =>
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

/** The steps of a publish: a bar on a terminal; elsewhere, after many files, a line for each; to a parent, messages. */
export function showSteps(stream: NodeJS.WriteStream, files: () => number): View<PublishStep> {
  const parent = relayed({ verb: 'publishing', noun: 'steps' });
  if (parent) return parent;
  if (!stream.isTTY) {
    const update = ({ name }: PublishStep): void => {
      if (files() >= MIN_FILES_FOR_LINES) stream.write(`publishing: ${name}\n`);
    };
    return { update, stop: () => undefined };
  }
  const view = new SingleBar(
    {
      format: 'publishing {bar} {value}/{total} steps: {name}',
      stream,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  return {
    update: ({ name, done, total }) => {
      if (done === 0) view.start(total, 0, { name });
      // Drawn at once: the step that follows keeps the timer from it.
      view.update(done, { name });
      view.render();
    },
    stop: () => view.stop(),
  };
}

/** A bar on a terminal, plain lines elsewhere; to a parent process that keeps a channel, messages. */
export function showProgress(
  stream: NodeJS.WriteStream,
  words: WorkWords = { verb: 'indexing', noun: 'files' },
): ProgressView {
  return relayed(words) ?? (stream.isTTY ? bar(stream, words) : plainLines(stream, words));
}
