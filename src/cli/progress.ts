import { Presets, SingleBar } from 'cli-progress';
import type { IngestProgress } from '../ingest/ingest.service.js';

export interface ProgressView {
  readonly update: (progress: IngestProgress) => void;
  readonly stop: () => void;
}

/** Without a terminal, one line for each tenth; a run of few files stays silent. */
const MIN_FILES_FOR_LINES = 200;

function plainLines(stream: NodeJS.WriteStream): ProgressView {
  let lastTenth = 0;
  return {
    update: ({ done, total }) => {
      const tenth = Math.floor((done * 10) / Math.max(1, total));
      if (total < MIN_FILES_FOR_LINES || tenth === lastTenth) return;
      lastTenth = tenth;
      stream.write(`indexing: ${done} of ${total} files\n`);
    },
    stop: () => undefined,
  };
}

function bar(stream: NodeJS.WriteStream): ProgressView {
  const format = 'indexing {bar} {value}/{total} files, {eta_formatted} left';
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
export function showProgress(stream: NodeJS.WriteStream): ProgressView {
  return stream.isTTY ? bar(stream) : plainLines(stream);
}
