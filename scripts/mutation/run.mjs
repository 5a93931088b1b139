// npm run mutation [AREA ...]: changes the sources of each area in many small ways, and counts the changes that its unit
// tests notice. Fails if they notice too few.
import { Stryker } from '@stryker-mutator/core';
import { AREAS } from './areas.mjs';

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: unknown. Areas: ${Object.keys(AREAS).join(', ')}`);
  process.exit(2);
}

const optionsFor = (area, { sources, tests, least }) => ({
  mutate: sources,
  plugins: ['@stryker-mutator/jest-runner', './scripts/mutation/ignore-texts.mjs'],
  ignorers: ['texts'],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    configFile: 'scripts/mutation/jest.config.cjs',
    config: { testMatch: tests.map((glob) => `<rootDir>/${glob}`) },
    enableFindRelatedTests: false,
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
  thresholds: { high: 100, low: least, break: least },
});

for (const area of named.length > 0 ? named : Object.keys(AREAS)) {
  await new Stryker(optionsFor(area, AREAS[area])).runMutationTest();
}
