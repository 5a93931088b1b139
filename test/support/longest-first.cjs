const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest suites, to run first, in this order. A fresh clone has no recorded durations. `faults` has short timeouts
 * for each engine: it runs when the engines are warm, beside short suites.
 */
const LONGEST = [
  /\/contract\/sqlite(?:-graph)?\.spec\.ts$/,
  /\/e2e\/(?:stdio|http|clients)\.e2e-spec\.ts$/,
  /\/engines\/(?:neo4j-changes|qdrant|parity|neo4j-engine|neo4j|onnx)\.acceptance-spec\.ts$/,
  /\/engines\/(?:neo4j-same-answers|postgres-ledger-killed|qdrant-laws|qdrant-repairs)\.acceptance-spec\.ts$/,
  /\/engines\/faults\.acceptance-spec\.ts$/,
  /\/(?:bad-input|fuzz|admin-page|kills|reader-threads|shutdown|event-loop|diagnostics-why|sources|sharing)\.acceptance-spec\.ts$/,
  /\/(?:docs-tools|diagnostics|taxonomy|hostile-pdfs|telemetry|access|governance|errors|ledger|memory)\.acceptance-spec\.ts$/,
];

function rankOf({ path }) {
  const rank = LONGEST.findIndex((name) => name.test(path));
  return rank < 0 ? LONGEST.length : rank;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
