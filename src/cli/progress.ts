import { Presets, SingleBar } from 'cli-progress';
/** How far a piece of work is. */
export interface WorkProgress {
  readonly done: number;
  readonly total: number;
}

/** What is being done, to what. */
export interface WorkWords {
  readonly verb: string;
  readonly noun: string;
}

export interface ProgressView {
  readonly update: (progress: WorkProgress) => void;
  readonly stop: () => void;
}

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

/** A bar on a terminal, plain lines elsewhere. */
export function showProgress(
  stream: NodeJS.WriteStream,
  words: WorkWords = { verb: 'indexing', noun: 'files' },
): ProgressView {
  return stream.isTTY ? bar(stream, words) : plainLines(stream, words);
}
