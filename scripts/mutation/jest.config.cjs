// The unit tests by themselves: Stryker runs one project.
const { join } = require('node:path');
const {
  projects: [unit],
} = require('../../jest.config.cjs');

const rootDir = join(__dirname, '..', '..');

// Stryker wraps the environment, and does not resolve <rootDir> for that.
module.exports = { ...unit, rootDir, testEnvironment: unit.testEnvironment.replace('<rootDir>', rootDir) };
