// Writes diagnostics like a server: node write-diagnostics.cjs <folder> <number, 0 = endless> <records at once> [day]
// Prints `began` before the first record and, at the end, its counters and failures as one line of JSON.
const { randomUUID } = require('node:crypto');
const { join } = require('node:path');

const { DiagnosticWriter } = require(
  join(__dirname, '..', '..', 'dist', 'diagnostics', 'archive', 'diagnostic-writer.js'),
);
const [record] = require('node:fs')
  .readFileSync(join(__dirname, '..', '..', 'reports', 'fixtures', 'retrieval_diagnostics.jsonl'), 'utf8')
  .split('\n')
  .map((line) => line && JSON.parse(line));

const [folder, count, burst, day = '2026-01-05'] = process.argv.slice(2);
const failures = [];
const writer = new DiagnosticWriter({ folder, onFailure: (error) => failures.push(String(error)) });

async function main() {
  process.stdout.write('began\n');
  for (let n = 0; n < (Number(count) || Infinity); n++) {
    writer.write({
      ...record,
      diagnostic_id: randomUUID(),
      timestamp: `${day}T00:00:00.000Z`,
      session_id: `${process.pid}`,
      query: { ...record.query, query_length: n },
    });
    if (n % Number(burst) === 0) await writer.flush();
  }
  await writer.flush();
  process.stdout.write(`${JSON.stringify({ ...writer.counters(), failures })}\n`);
}

void main();
