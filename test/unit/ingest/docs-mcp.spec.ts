import { truncateSync } from 'node:fs';
import { type Corpus, resolveCorpus } from '../../../src/ingest/manifest/resolve-corpus.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe('docs-mcp manifests', () => {
  let folder: TestFolder;
  const resolve = (files: Readonly<Record<string, string>>): Promise<Corpus> => {
    writeFiles(folder.path, files);
    return resolveCorpus({ folder: folder.path });
  };

  beforeEach(() => {
    folder = testFolder();
  });

  afterEach(() => folder.remove());

  it('set metadata: overrides add up in order, with paths relative to their folder', async () => {
    const { rules } = await resolve({
      'sdk/.docs-mcp.json': json({
        version: '1',
        metadata: { language: 'go', scope: 'sdk' },
        overrides: [
          { pattern: 'guides/**', metadata: { scope: 'guide' } },
          { pattern: '**/old.md', metadata: { state: 'old' } },
        ],
      }),
    });
    expect(rules.rulesFor('sdk/guides/old.md').metadata).toEqual({
      language: 'go',
      scope: 'guide',
      state: 'old',
    });
    expect(rules.rulesFor('sdk/a.md').metadata).toEqual({ language: 'go', scope: 'sdk' });
    expect(rules.rulesFor('guides/a.md').metadata).toEqual({});
  });

  it('apply to the folders below them; only the nearest manifest counts', async () => {
    const { rules } = await resolve({
      '.docs-mcp.json': json({ metadata: { product: 'a', language: 'none' }, taxonomy: { product: {} } }),
      'go/.docs-mcp.json': json({ metadata: { language: 'go' }, taxonomy: { language: {} } }),
      'go/deep/a.md': 'x',
    });
    expect(rules.rulesFor('go/deep/a.md')).toMatchObject({
      metadata: { language: 'go' },
      declaredKeys: ['language'],
    });
    expect(rules.rulesFor('a.md')).toMatchObject({ declaredKeys: ['product'] });
    expect(rules.rulesFor('gone/a.md').metadata).toEqual({ product: 'a', language: 'none' });
  });

  it('set collapse rules, resources and instructions', async () => {
    const { settings } = await resolve({
      '.docs-mcp.json': json({
        mcpServerInstructions: 'Search first.',
        taxonomy: { language: { vector_collapse: true, properties: { go: { mcp_resource: true }, c: {} } } },
      }),
      'a/.docs-mcp.json': json({
        mcpServerInstructions: 'Another.',
        taxonomy: {
          language: { properties: { java: { mcp_resource: true } } },
          version: { vector_collapse: false },
        },
      }),
    });
    expect(settings.corpus).toEqual({
      description: null,
      instructions: 'Search first.',
      taxonomy: {
        language: { description: null, collapse: true, isResource: false, resourceValues: ['go', 'java'] },
        version: { description: null, collapse: false, isResource: false, resourceValues: [] },
      },
      prompts: [],
    });
  });

  it('apply only without a .pith.yaml at the root', async () => {
    const { rules } = await resolve({
      '.pith.yaml': 'metadata: { product: pith }',
      '.docs-mcp.json': json({ metadata: { product: 'other' } }),
    });
    expect(rules.rulesFor('a.md').metadata).toEqual({ product: 'pith' });
  });

  it('apply beside a .pith.yaml that only lists sources', async () => {
    const { rules } = await resolve({
      '.pith.yaml': '# A list.\nsources: [{ address: ./contracts }]\n',
      '.docs-mcp.json': json({ metadata: { product: 'other' } }),
    });
    expect(rules.rulesFor('a.md').metadata).toEqual({ product: 'other' });
  });

  it('give remarks for settings without effect', async () => {
    const { remarks } = await resolve({
      '.docs-mcp.json': [
        '{',
        '  "version": "1",',
        '  "strategy": { "chunk_by": "h2" },',
        '  "colour": "red",',
        '  "taxonomy": { "a": {',
        '    "weight": 1 } },',
        '  "overrides": [{ "pattern": "x", "strategy": {},',
        '    "speed": 1 }]',
        '}',
      ].join('\n'),
    });
    expect(remarks.map(({ path, isProblem }) => [path, isProblem])).toEqual([
      ['.docs-mcp.json:4', false],
      ['.docs-mcp.json:3', false],
      ['.docs-mcp.json:6', false],
      ['.docs-mcp.json:8', false],
    ]);
  });

  it.each([
    ['bad JSON', '{\n  "metadata": {,\n}', 2],
    ['YAML in place of JSON', 'metadata:\n  a: b\n', 1],
    ['a comma at the end', '{\n  "metadata": {},\n}', 3],
    ['a reserved name', '{\n  "metadata": {\n    "query": "x" } }', 3],
    ['a reserved key', '{\n  "taxonomy": {\n    "limit": {} } }', 3],
    ['a value of another type', '{\n  "taxonomy": {\n    "a": { "vector_collapse": "yes" } } }', 3],
    ['a list as metadata', '{ "metadata": {\n "a": [] } }', 2],
  ])('are rejected for %s, with file and line', async (_, text, line) => {
    await expect(resolve({ 'x/.docs-mcp.json': text })).rejects.toMatchObject({
      reason: 'manifest_invalid',
      message: expect.stringMatching(`^x/\\.docs-mcp\\.json:${line}: `),
    });
  });

  it("are rejected with their path if they can't be read", async () => {
    const file = folder.file('.docs-mcp.json');
    writeFiles(folder.path, { '.docs-mcp.json': '{}' });
    // Longer than the largest file that Node reads.
    truncateSync(file, 3 * 2 ** 30);
    await expect(resolveCorpus({ folder: folder.path })).rejects.toMatchObject({
      reason: 'manifest_unreadable',
      message: expect.stringContaining('.docs-mcp.json'),
    });
  });

  it('keep the spelling of numbers', async () => {
    const { rules } = await resolve({
      '.docs-mcp.json': '{ "metadata": { "version": 7.10, "beta": true } }',
    });
    expect(rules.rulesFor('a.md').metadata).toEqual({ beta: 'true', version: '7.10' });
  });

  describe('prompts from templates', () => {
    const SHORT =
      '---\ntitle: Ask\narguments: [{ name: what, required: true, title: What }]\n---\n\nAsk {{what}}.\n';
    const LONG = [
      'description: Asks twice.',
      'messages:',
      '  - { role: user, content: { type: text, text: One. } }',
      '  - { role: assistant, content: Two. }',
    ].join('\n');

    it('are read in either form, named by their path, and not indexed as documents', async () => {
      const { settings, rules, remarks } = await resolve({
        '.docs-mcp.json': '{}',
        'guides/ask.template.md': SHORT,
        'twice.template.yaml': LONG,
      });
      expect(settings.corpus.prompts).toEqual([
        {
          ...{ name: 'guides/ask', title: 'Ask', description: null },
          arguments: [{ name: 'what', description: 'What', isRequired: true }],
          messages: [{ role: 'user', template: 'Ask {{what}}.\n' }],
        },
        {
          ...{ name: 'twice', title: null, description: 'Asks twice.', arguments: [] },
          messages: [
            { role: 'user', template: 'One.' },
            { role: 'assistant', template: 'Two.' },
          ],
        },
      ]);
      expect([rules.isWanted('guides/ask.template.md'), rules.isWanted('guides/ask.md')]).toEqual([
        false,
        true,
      ]);
      expect(remarks).toEqual([]);
    });

    it('are read only below a manifest', async () => {
      const { settings, rules } = await resolve({ 'a/.docs-mcp.json': '{}', 'b/ask.template.md': SHORT });
      expect(settings.corpus.prompts).toEqual([]);
      expect(rules.isWanted('b/ask.template.md')).toBe(true);
    });

    it('prefer YAML to Markdown, with a remark', async () => {
      const { settings, remarks } = await resolve({
        '.docs-mcp.json': '{}',
        'ask.template.md': SHORT,
        'ask.template.yaml': LONG,
      });
      expect(settings.corpus.prompts.map(({ description }) => description)).toEqual(['Asks twice.']);
      expect(remarks).toMatchObject([{ path: 'ask.template.md', isProblem: false }]);
    });

    it.each([
      ['ask.template.md', '---\na: b\n---\n\nAsk {{what}}.\n', 'ask.template.md:5'],
      ['ask.template.md', '---\na: [\n---\n', 'ask.template.md:3'],
      ['ask.template.md', '---\narguments: [what]\n---\nAsk\n', 'ask.template.md:1'],
      ['ask.template.yaml', 'title: x\nmessages:\n  - { role: system, content: x }\n', 'ask.template.yaml:3'],
      ['ask.template.yaml', 'messages:\n  - role: user\n    content: "{{#a}}"\n', 'ask.template.yaml:2'],
      ['ask.template.yaml', 'messages: [\n', 'ask.template.yaml:2'],
    ])('are not made from invalid templates: %s', async (name, text, path) => {
      const { settings, remarks } = await resolve({
        '.docs-mcp.json': '{}',
        [name]: text,
        'ok.template.md': 'Hello.',
      });
      expect(settings.corpus.prompts.map((prompt) => prompt.name)).toEqual(['ok']);
      expect(remarks).toMatchObject([{ path, isProblem: true }]);
    });
  });
});
