// A suite that skips in CI has not been tested: fails when a jest report holds a test that did not run.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2);
if (reports.length === 0) throw new Error('give the reports of jest');
for (const path of reports) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const skipped = report.numPendingTests + report.numTodoTests + report.numPendingTestSuites;
  console.log(
    `${path}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`,
  );
  if (skipped > 0 || !report.success) process.exitCode = 1;
}
