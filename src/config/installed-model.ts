import { statSync } from 'node:fs';
import { join } from 'node:path';
import { thisUser, userDataFolder } from './data-folder.js';
import type { ModelsConfig } from './settings/models.config.js';

/** A file that `pith model install` accepts only with this content. */
export interface PinnedFile {
  /** Path in the folder of its part. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The parts of an installed encoder. Each is a folder whose name has its version. */
export interface PinnedPart {
  readonly folder: string;
  readonly files: readonly PinnedFile[];
}

/** The encoder. Vectors have the name of its folder. */
export const ENCODER = {
  folder: 'all-MiniLM-L6-v2-int8',
  files: [
    {
      name: 'onnx/model_quantized.onnx',
      bytes: 22_972_370,
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    {
      name: 'tokenizer.json',
      bytes: 711_661,
      sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
  ],
} as const satisfies PinnedPart;

/** The runtime of ONNX models, in WebAssembly. */
export const RUNTIME = {
  folder: 'onnxruntime-web-1.30.0',
  files: [
    {
      name: 'ort.wasm.min.js',
      bytes: 50_196,
      sha256: 'faece07e84faa9001f5104bbe4e5c70861d06cb2376a0dea1fa0ad33a67adc81',
    },
    {
      name: 'ort-wasm-simd-threaded.mjs',
      bytes: 24_381,
      sha256: 'e13f7f94fc51b4ca72b12faeb1ee95f4ace6dfbc8939bc718aabdc0a27c4299b',
    },
    {
      name: 'ort-wasm-simd-threaded.wasm',
      bytes: 14_239_897,
      sha256: '3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2',
    },
  ],
} as const satisfies PinnedPart;

/** One line for users who do not have it. */
export const ENCODER_OFFER =
  '`pith model install` brings one (37 MB), which also finds sections that share no word with a question.';

type Place = Pick<ModelsConfig, 'modelFolder'>;

/** The folder that `pith model install` fills. */
export const modelRoot = ({ modelFolder }: Place): string =>
  modelFolder || join(userDataFolder(thisUser()), 'models');

export const partFolder = (place: Place, { folder }: PinnedPart): string => join(modelRoot(place), folder);

export const isEncoderInstalled = (place: Place): boolean =>
  [ENCODER, RUNTIME].every((part) => isPartInstalled(place, part));

/** Size of a file in bytes; -1 for a file that is missing or is in a folder that the user may not read. */
function sizeAt(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
  } catch {
    return -1;
  }
}

/** True if the part has all its files in full. Their digests were checked when they were installed. */
function isPartInstalled(place: Place, part: PinnedPart): boolean {
  const folder = partFolder(place, part);
  return part.files.every(({ name, bytes }) => sizeAt(join(folder, name)) === bytes);
}
