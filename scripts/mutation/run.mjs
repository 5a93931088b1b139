// npm run mutation [AREA ...] [FILE ...]: changes the sources of each area in many small ways, and counts the changes that
// its unit tests notice. Fails if they notice too few, and for each other change without a reason. With files, such as
// src/text/span.ts or src/text/span.ts:10-20, only these are changed, and nothing fails.
import { Stryker } from '@stryker-mutator/core';
import { AREAS } from './areas.mjs';
import { troublesOf } from './review.mjs';

/** The least share of changes that each area has to notice (%). */
const LEAST = 95;

const isFile = (word) => word.includes('/');
const words = process.argv.slice(2);
const files = words.filter(isFile);
const named = words.filter((word) => !isFile(word));
const unknown = named.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: unknown. Areas: ${Object.keys(AREAS).join(', ')}`);
  process.exit(2);
}

const optionsFor = (area, { sources, tests }) => ({
  mutate: files.length > 0 ? files : sources,
  plugins: ['@stryker-mutator/jest-runner', './scripts/mutation/ignore-texts.mjs'],
  ignorers: ['texts'],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    configFile: 'scripts/mutation/jest.config.cjs',
    config: { testMatch: tests.map((glob) => `<rootDir>/${glob}`) },
    // Only the tests that import the changed file are loaded.
    enableFindRelatedTests: true,
  },
  coverageAnalysis: 'perTest',
  // A change of what runs when a module loads, such as a schema or a table, would need all tests: two thirds of the time.
  ignoreStatic: true,
  concurrency: 2,
  // A timeout counts as noticed, so it must not be a slow machine.
  timeoutMS: 20_000,
  disableTypeChecks: false,
  ignorePatterns: ['/*', '!/src', '!/test', '!/scripts', '!/config', '!/*.json', '!/jest.config.cjs'],
  tempDirName: 'reports/mutation/work',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `reports/mutation/${area}.html` },
  jsonReporter: { fileName: `reports/mutation/${area}.json` },
  thresholds: { high: 100, low: LEAST, break: files.length > 0 ? null : LEAST },
});

for (const area of named.length > 0 ? named : Object.keys(AREAS)) {
  const results = await new Stryker(optionsFor(area, AREAS[area])).runMutationTest();
  const troubles = files.length > 0 ? [] : troublesOf(results);
  for (const trouble of troubles) console.error(trouble);
  if (troubles.length > 0) process.exitCode = 1;
}
