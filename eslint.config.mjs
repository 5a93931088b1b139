import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

/** Every function but a constructor. */
const functions = [
  'FunctionDeclaration',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSEmptyBodyFunctionExpression',
  ':not(MethodDefinition[kind="constructor"]) > FunctionExpression',
].join(', ');

const limits = {
  'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }],
  'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
  'max-params': 'off',
  // For constructors; other functions have three.
  '@typescript-eslint/max-params': ['error', { max: 4 }],
  'no-restricted-syntax': [
    'error',
    {
      selector: `:matches(${functions})[params.length>3]`,
      message: 'At most three parameters: make the last ones an object.',
    },
    {
      selector: 'CallExpression[callee.name=/^mkdir(Sync)?$/] Property[key.name="recursive"]',
      message: 'Call makeFolder: this option never ends in /proc.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['.engines/', 'dist/', 'node_modules/', 'coverage/', 'reports/'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    plugins: { 'simple-import-sort': importSort },
    rules: {
      'simple-import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^[^.]', '^\\.']] }],
      'no-duplicate-imports': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...limits,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  { files: ['src/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        require: 'readonly',
        module: 'writable',
        exports: 'writable',
        __dirname: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
      },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  prettier,
);
