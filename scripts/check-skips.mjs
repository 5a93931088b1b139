// Fails when a jest report contains a test that did not run, since CI must run all suites.
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
