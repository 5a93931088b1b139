import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ModelsConfig } from '../../../../../src/config/settings/models.config.js';
import { knownModel, modelSettings } from '../../../../../src/engines/models/embedding/model-settings.js';
import { modelsConfig } from '../../../../support/models-config.js';

const read = (models: Partial<ModelsConfig>) =>
  modelSettings(modelsConfig({ embedder: 'tei', embedUrl: 'http://host', ...models }).models, 'serve');

describe('knownModel', () => {
  it.each([
    ['sentence-transformers/all-MiniLM-L6-v2', 384],
    ['/models/all-MiniLM-L6-v2/', 384],
    ['all-minilm:l6-v2', 384],
    ['BAAI/bge-base-en-v1.5', 768],
    ['Snowflake/snowflake-arctic-embed-m-v1.5', 768],
    ['snowflake-arctic-embed:22m', null],
    ['nomic-embed-text:latest', 768],
  ])('knows %s', (name, dimensions) => {
    expect(knownModel(name)?.dimensions).toBe(dimensions);
  });

  it('returns null for unknown models', () => {
    expect(knownModel('my-own')).toBeNull();
  });
});

describe('modelSettings', () => {
  it('uses the known dimensions and prefixes of a model', () => {
    expect(read({ embedModel: 'intfloat/multilingual-e5-base' })).toMatchObject({
      dimensions: 768,
      prefixes: { question: 'query: ', section: 'passage: ' },
      retries: 0,
    });
  });

  it('leaves the dimensions of an unknown model to its first answer', () => {
    expect(read({ embedModel: 'my-own' })).toMatchObject({
      dimensions: 0,
      prefixes: { question: '', section: '' },
    });
  });

  it('prefers settings to known values', () => {
    const own = {
      embedDimensions: 256,
      embedWeight: 0.4,
      embedQuestionPrefix: '',
      embedSectionPrefix: 'S: ',
    };
    expect(read({ embedModel: 'e5-base', ...own })).toMatchObject({
      dimensions: 256,
      weight: 0.4,
      prefixes: { question: '', section: 'S: ' },
    });
  });

  it('includes in the name everything that changes the vectors', () => {
    const plain = read({ embedModel: 'my-own' }).name;
    expect(read({ embedModel: 'my-own', embedQuestionPrefix: 'Q: ' }).name).toBe(plain);
    expect(read({ embedModel: 'my-own', embedSectionPrefix: 'S: ' }).name).not.toBe(plain);
    expect(read({ embedder: 'onnx', embedUrl: '', embedModel: '/models/my-own/' }).name).toBe('my-own');
  });

  it('reads the folder of an ONNX model as a path', () => {
    const onnx = { embedder: 'onnx', embedUrl: '' } as const;
    expect(read({ ...onnx, embedModel: '~/my-own' })).toMatchObject({
      model: join(homedir(), 'my-own'),
      name: 'my-own',
    });
    expect(() => read({ ...onnx, embedModel: 'file:///models/my-own' })).toThrow('is a URI');
  });

  it.each([
    [{ embedModel: '' }, 'PITH_EMBED_MODEL'],
    [{ embedModel: 'my-own', embedUrl: '' }, 'PITH_EMBED_URL'],
  ])('reports a missing setting: %j', (changes, variable) => {
    expect(() => read(changes)).toThrow(variable);
  });

  it('uses the default address of Ollama', () => {
    expect(read({ embedder: 'ollama', embedUrl: '', embedModel: 'all-minilm' }).url).toBe(
      'http://127.0.0.1:11434',
    );
  });
});
