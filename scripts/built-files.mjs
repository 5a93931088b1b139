// The files of a build that the program needs at run time, without maps and separate modules.
export const BUILT_FILES = [
  'pith.cjs',
  'reader-worker.cjs',
  'ledger-worker.cjs',
  'convert-worker.cjs',
  'schema-worker.cjs',
  'onnx-worker.cjs',
  'mcp-client.cjs',
  'asciidoctor.cjs',
  'THIRD-PARTY-NOTICES.txt',
  'sbom.cdx.json',
].map((name) => `dist/${name}`);
