// Saves artifacts as fast as it can, and reports the SHA-256 of each that is stored. Run with the work file and a seed.
const { writeSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { ArtifactStore } = require('../../dist/work/substrate/artifacts/artifact-store.js');
const { openWorkFile } = require('../../dist/work/work-databases.js');

const [file, seed] = process.argv.slice(2);
const database = openWorkFile(file);
const store = new ArtifactStore({ database, maxBytes: 1e9, now: Date.now });
const facts = { mediaType: 'text/plain', publishedBy: 'ann', maxBytes: 1e9, expectedSha256: null };
const space = { projectId: 'docs', environment: 'prod' };

/** From one byte to four chunks. */
function* partsOf(number) {
  for (let i = 0; i <= number % 5; i++) {
    const block = createHash('sha256').update(`${seed} ${number} ${i}`).digest();
    yield Buffer.alloc(number % 5 === 0 ? 1 + number : 200_000, block);
  }
}

async function saveAll() {
  for (let number = 0; ; number++) {
    const { sha256 } = await store.save({ ...facts, space }, partsOf(number));
    writeSync(1, `${sha256}\n`);
  }
}

saveAll().catch((error) => {
  writeSync(2, `${error.stack}\n`);
  process.exit(1);
});
