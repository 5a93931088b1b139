import { realpathSync, symlinkSync, truncateSync } from 'node:fs';
import type { CorpusPrompt } from '../../../../src/core/corpus-facts.js';
import { InvalidArgumentError } from '../../../../src/core/errors.js';
import { openManifest } from '../../../../src/ingest/manifest/manifest.js';
import { readPrompts } from '../../../../src/ingest/manifest/read-prompts.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

describe('readPrompts', () => {
  const folder = testFolder();
  const root = realpathSync(folder.path);
  const read = (...yaml: string[]): Promise<CorpusPrompt[]> =>
    readPrompts(root, openManifest(`prompts:\n${yaml.join('\n')}\n`, 'm.yaml'));
  const refusalOf = (...yaml: string[]): Promise<string> =>
    read(...yaml).then(
      () => 'nothing refused',
      (error: unknown) => (error instanceof InvalidArgumentError ? error.message : 'another error'),
    );

  beforeAll(() => {
    writeFiles(root, {
      'prompts/ask.md': '---\ntitle: not shown\n---\n\nAsk about {{what}}.\n',
      'prompts/wrong.md': '---\na: b\n---\n\nAsk\nabout {{that}}.\n',
      'prompts/big.md': 'x'.repeat(65_537),
      'prompts/bad.md': '---\na: [\n---\n',
      'docs/page.md': 'x',
    });
    writeFiles(root, { 'huge.md': '' });
    truncateSync(`${root}/huge.md`, 3 * 2 ** 30);
    symlinkSync('/etc/hostname', `${root}/out.md`);
  });

  afterAll(() => folder.remove());

  it('reads a template file without its front matter, as one user message', async () => {
    const [prompt] = await read(
      '  - { name: ask, title: Ask, description: Asks., template: prompts/ask.md,',
      '      arguments: [{ name: what, required: true }, { name: how, description: Way. }] }',
    );
    expect(prompt).toEqual({
      ...{ name: 'ask', title: 'Ask', description: 'Asks.' },
      arguments: [
        { name: 'what', description: null, isRequired: true },
        { name: 'how', description: 'Way.', isRequired: false },
      ],
      messages: [{ role: 'user', template: 'Ask about {{what}}.\n' }],
    });
  });

  it('keeps messages as written', async () => {
    const [prompt] = await read(
      '  - { name: ask, messages: [{ content: Hello. }, { role: assistant, content: Yes? }] }',
    );
    expect(prompt?.messages).toEqual([
      { role: 'user', template: 'Hello.' },
      { role: 'assistant', template: 'Yes?' },
    ]);
  });

  it.each([
    ['a missing file', 'none.md', 'm.yaml:3:'],
    ['a folder', 'prompts', 'm.yaml:3:'],
    ['a file outside the folder', '../../../../etc/hostname', 'm.yaml:3:'],
    ['a link out of the folder', 'out.md', 'm.yaml:3:'],
    ['a file that is too large', 'prompts/big.md', 'm.yaml:3:'],
    ['a file that is too large to be read', 'huge.md', 'm.yaml:3:'],
    ['a name that is not an argument', 'prompts/wrong.md', 'prompts/wrong.md:6:'],
    ['bad front matter', 'prompts/bad.md', 'prompts/bad.md:3:'],
  ])('rejects %s, with file and line', async (_, template, where) => {
    expect(await refusalOf('  - name: ask', `    template: ${template}`)).toContain(where);
  });

  it('rejects an unclosed section in a message, with its line', async () => {
    const refusal = refusalOf(
      '  - name: ask',
      '    messages:',
      '      - content: |',
      '          One',
      '          {{#a}',
    );
    expect(await refusal).toMatch(/^m\.yaml:6: Unclosed tag/);
  });

  it('rejects a duplicate name', async () => {
    const one = '  - { name: ask, messages: [{ content: x }] }';
    expect(await refusalOf(one, one)).toMatch(/^m\.yaml:3: .*"ask"/);
  });

  it('rejects more than a quarter of a million characters', async () => {
    const long = (name: string): string =>
      `  - { name: ${name}, messages: [{ content: ${'x'.repeat(31_999)} }] }`;
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    expect(await refusalOf(...names.map(long))).toMatch(/^m\.yaml:10:/);
  });
});
