const { default: Sequencer } = require('@jest/test-sequencer');

/** The slowest suites, to run first. A fresh clone has no recorded durations. */
const LONGEST = [
  /\/contract\/sqlite(?:-graph)?\.spec\.ts$/,
  /\/e2e\/(?:stdio|http|clients)\.e2e-spec\.ts$/,
  /\/(?:kills|bad-input|shutdown|sharing|event-loop|fuzz|diagnostics-why|taxonomy|reader-threads|admin-page|diagnostics|errors|ledger)\.acceptance-spec\.ts$/,
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => Number(LONGEST.some((name) => name.test(path)));
    return super.sort(tests).sort((a, b) => isLong(b) - isLong(a));
  }
};
