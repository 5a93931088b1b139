// The parts of Asciidoctor that src/ingest/reading/asciidoc loads, as one file of the bundle.
export {
  AbstractNode,
  convert,
  Html5Converter,
  LoggerManager,
  NullLogger,
  Reader,
  Section,
} from '@asciidoctor/core';
