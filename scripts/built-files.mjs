// What of a build a program needs at run time; its maps and modules are for development.
export const BUILT_FILES = [
  'pith.cjs',
  'reader-worker.cjs',
  'onnx-worker.cjs',
  'THIRD-PARTY-NOTICES.txt',
].map((name) => `dist/${name}`);
