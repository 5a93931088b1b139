// Fails when a jest report contains a test that did not run, since CI must run all suites. Lists the tests that passed
// only when they were repeated (test/support/retry.cjs): those depend on chance.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const reports = process.argv.slice(2);
if (reports.length === 0) throw new Error('give the reports of jest');
for (const path of reports) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const skipped = report.numPendingTests + report.numTodoTests + report.numPendingTestSuites;
  console.log(
    `${path}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`,
  );
  for (const { name, assertionResults } of report.testResults) {
    const repeated = assertionResults.filter(({ invocations }) => invocations > 1);
    for (const { fullName, status } of repeated)
      console.log(`repeated, ${status}: ${relative('.', name)}: ${fullName}`);
  }
  if (skipped > 0 || !report.success) process.exitCode = 1;
}
