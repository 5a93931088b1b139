// As tsconfig.json has it, but CommonJS throughout: jest's sandbox has no native import().
const swc = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
};

const common = {
  testEnvironment: '<rootDir>/test/support/plain-global.cjs',
  runtime: '<rootDir>/test/support/compile-once.cjs',
  globalSetup: '<rootDir>/test/support/memory-folder.cjs',
  globalTeardown: '<rootDir>/test/support/memory-folder-end.cjs',
  transform: {
    '[.][mc]?[tj]s$': ['@swc/jest', swc],
  },
  moduleNameMapper: {
    // Sources name their neighbours as './x.js', which is what they are once compiled.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its package has no entry for `require`.
    '^unpdf/pdfjs$': '<rootDir>/node_modules/unpdf/dist/pdfjs.mjs',
    // What the bundle leaves out too (scripts/bundle.mjs) would be loaded again for each suite.
    '^(?:libphonenumber-js/max|multer|\\.\\./locales/index\\.cjs|validator(?:/lib/(?!isLength$|matches$).*)?)$':
      '<rootDir>/scripts/not-bundled.cjs',
  },
  // Stryker works on copies of the project there (scripts/mutation).
  modulePathIgnorePatterns: ['<rootDir>/reports/mutation/'],
  transformIgnorePatterns: [
    '/node_modules/(?!(fast-check|jose|pure-rand|unpdf|@vscode/tree-sitter-wasm|@opentelemetry/otlp-exporter-base)/)',
  ],
};

const setupFilesAfterEnv = ['<rootDir>/test/support/retry.cjs'];

module.exports = {
  testTimeout: 60000,
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/test/unit/**/*.spec.ts',
        '<rootDir>/test/contract/**/*.spec.ts',
        '<rootDir>/test/tools/**/*.spec.ts',
        '<rootDir>/test/*.spec.ts',
      ],
    },
    { ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'] },
    {
      ...common,
      displayName: 'acceptance',
      setupFilesAfterEnv,
      testMatch: ['<rootDir>/test/acceptance/*.acceptance-spec.ts'],
    },
    {
      ...common,
      displayName: 'engines',
      setupFilesAfterEnv,
      testMatch: ['<rootDir>/test/acceptance/engines/*.acceptance-spec.ts'],
    },
  ],
};
