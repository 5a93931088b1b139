import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../../cli/command-parts.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import type { Config } from '../../config/config.js';
import {
  ENCODER,
  ENCODER_OFFER,
  isEncoderInstalled,
  modelRoot,
  partFolder,
  type PinnedFile,
  type PinnedPart,
  RUNTIME,
} from '../../config/installed-model.js';
import { makeFolder } from '../../config/make-folder.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import { hasModelVectors } from '../../sqlite/index-file.js';
import { configuredEmbedder } from '../open-models.js';
import { filesIn } from './source-files.js';

/** The revision of the encoder whose files are pinned. */
const HUB = 'https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9';

/** A part, and where its files are published. */
interface PublishedPart {
  readonly part: PinnedPart;
  readonly url: (name: string) => string;
}

const PARTS: readonly PublishedPart[] = [
  { part: ENCODER, url: (name) => `${HUB}/${name}` },
  { part: RUNTIME, url: () => 'https://registry.npmjs.org/onnxruntime-web/-/onnxruntime-web-1.30.0.tgz' },
];

/** Tokens of a section that the encoder reads. Source: docs/quality.md, "Models". */
const MAX_TOKENS = 128;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Changes a file or folder of the models. @throws BackendUnavailableError `model_folder_not_writable` */
function changing(path: string, change: () => void): void {
  try {
    change();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackendUnavailableError(`${path} can't be changed: ${why}.`, {
      reason: 'model_folder_not_writable',
      hint: 'Free disk space, make the folder writable for this user, or set PITH_MODEL_FOLDER to another folder.',
      cause,
    });
  }
}

function writeWhole(path: string, bytes: Uint8Array | string): void {
  // Two installations may run at once.
  const temporary = `${path}.${process.pid}.new`;
  changing(path, () => {
    makeFolder(dirname(path));
    try {
      writeFileSync(temporary, bytes);
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

interface Wanted {
  readonly path: string;
  readonly file: PinnedFile;
  readonly url: string;
}

/** True if the file is there with its content. */
function isWhole({ path, file }: Wanted): boolean {
  try {
    return digest(readFileSync(path)) === file.sha256;
  } catch {
    return false;
  }
}

/** Installs the files of a source that are wanted. @returns those that it does not have */
async function takeFiles(source: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
  let missing = [...wanted];
  const isSize = (bytes: number): boolean => missing.some(({ file }) => file.bytes === bytes);
  for await (const bytes of filesIn(source, isSize)) {
    const sha256 = digest(bytes);
    const found = missing.find(({ file }) => file.sha256 === sha256);
    if (!found) continue;
    writeWhole(found.path, bytes);
    missing = missing.filter((each) => each !== found);
    if (missing.length === 0) break;
  }
  return missing;
}

const publishedAt = (files: readonly Wanted[]): string[] => [...new Set(files.map(({ url }) => url))];

/** Lists the missing files on stderr, one per line, which a message can't. */
function notFound(missing: readonly Wanted[], sources: readonly string[]): InvalidArgumentError {
  tell(
    'Not found:',
    ...missing.map(({ file }) => `  ${file.name} (${file.bytes} bytes, SHA-256 ${file.sha256})`),
  );
  return new InvalidArgumentError(`${sources.join(', ')}: the files above were not found there.`, {
    reason: 'model_not_found',
    hint: `Download them, and give each with --from: ${publishedAt(missing).join(' ')}`,
  });
}

/**
 * `pith model install`
 * @param from  files, folders, archives or URLs; none for those where the parts are published
 */
export async function installModel(
  from: readonly string[],
  parts: readonly PublishedPart[] = PARTS,
): Promise<void> {
  const { models } = loadConfig({});
  const files = parts.flatMap(({ part, url }) =>
    part.files.map((file) => ({
      path: join(partFolder(models, part), file.name),
      file,
      url: url(file.name),
    })),
  );
  let missing: Wanted[] = files.filter((each) => !isWhole(each));
  const sources = from.length > 0 ? from : publishedAt(missing);
  writeWhole(
    join(partFolder(models, ENCODER), 'sentence_bert_config.json'),
    JSON.stringify({ max_seq_length: MAX_TOKENS }),
  );
  for (const source of sources) if (missing.length > 0) missing = await takeFiles(source, missing);
  if (missing.length > 0) throw notFound(missing, sources);
  print(`${ENCODER.folder} (Apache-2.0) and ${RUNTIME.folder} (MIT) are installed in ${modelRoot(models)}.`);
  print(
    'Run `pith index` again on your documents: it takes longer, and answers then also find sections by meaning.',
  );
}

/** The findings of `pith doctor` about the encoder; none if the settings choose another embedder. */
export function checkModel(config: Pick<Config, 'models' | 'backends' | 'index'>): Finding[] {
  const { models, index } = config;
  if (models.embedder !== 'auto') return [];
  if (isEncoderInstalled(models))
    return [{ isGood: true, text: `encoder: ${ENCODER.folder} is installed in ${modelRoot(models)}` }];
  if (!hasModelVectors(index.file, configuredEmbedder(config).profile))
    return [{ isGood: true, text: `encoder: not installed (optional). ${ENCODER_OFFER}` }];
  return [
    {
      isGood: false,
      text: 'encoder: not installed, but this index was built with it, so only words count',
      hint: 'Run `pith model install`, or build the index without the encoder: `pith index`.',
    },
  ];
}

/** `pith model remove` */
export function removeModel(): void {
  const { models } = loadConfig({});
  const folders = PARTS.map(({ part }) => partFolder(models, part)).filter((folder) => existsSync(folder));
  if (folders.length === 0) return print(`The encoder is not installed in ${modelRoot(models)}.`);
  for (const folder of folders) changing(folder, () => rmSync(folder, { recursive: true }));
  print(
    `Removed the encoder from ${modelRoot(models)}. Run \`pith index\` again on documents that were indexed with it.`,
  );
}
