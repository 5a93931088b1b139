const { compilerOptions } = require('./tsconfig.json');

// CommonJS throughout: jest's sandbox has no native import().
const tsconfig = {
  ...compilerOptions,
  rootDir: '.',
  isolatedModules: true,
  module: 'commonjs',
  moduleResolution: 'node10',
  types: ['node', 'jest'],
};

const common = {
  testEnvironment: 'node',
  transform: {
    '[.][mc]?[tj]s$': ['ts-jest', { tsconfig: { ...tsconfig, allowJs: true }, diagnostics: false }],
  },
  // Sources name their neighbours as './x.js', which is what they are once compiled.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: ['/node_modules/(?!(fast-check|pure-rand)/)'],
};

module.exports = {
  testTimeout: 60000,
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/test/unit/**/*.spec.ts',
        '<rootDir>/test/contract/**/*.spec.ts',
        '<rootDir>/test/tools/**/*.spec.ts',
        '<rootDir>/test/architecture.spec.ts',
      ],
    },
    { ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'] },
    {
      ...common,
      displayName: 'acceptance',
      testMatch: ['<rootDir>/test/acceptance/**/*.acceptance-spec.ts'],
    },
  ],
};
