import { InvalidArgumentError } from '../../../../src/core/errors.js';
import { type Manifest, openManifest } from '../../../../src/ingest/manifest/manifest.js';

const parseManifest = (text: string, file: string): Manifest => openManifest(text, file).manifest;

function refusalOf(text: string): InvalidArgumentError | null {
  try {
    parseManifest(text, 'docs/.pith.yaml');
    return null;
  } catch (error) {
    return error instanceof InvalidArgumentError ? error : null;
  }
}
const lineOf = (text: string): string | undefined =>
  /^docs\/\.pith\.yaml:(\d+):/.exec(refusalOf(text)?.message ?? '')?.[1];

describe('openManifest', () => {
  it.each([
    ['keys in keys', `${'? '.repeat(400)}\n`, 'it is nested too deeply'],
    ['brackets', `documents: ${'['.repeat(100_000)}`, 'it is nested too deeply'],
    ['lists in one line', `documents:\n  ${'- '.repeat(100_000)}`, 'it is nested too deeply'],
    ['aliases', `metadata: { a: &a b }\ninclude: [${'*a,'.repeat(2_000)}]`, 'more than 1000 aliases'],
    ['characters', `# ${'a'.repeat(2_000_001)}`, 'it has more than 2000000 characters'],
  ])('refuses too many %s at once', (_, text, problem) => {
    expect(refusalOf(text)?.message).toContain(problem);
  });

  it('reads every setting', () => {
    const text = [
      'project: harbour',
      'environment: dev',
      'repository: fleet',
      'site_urls: [https://example.org/docs]',
      'include: ["**/*.md"]',
      'ignore: [drafts/**]',
      'documents:',
      '  - match: [guides/**]',
      '    doc_tag: guides',
    ];
    expect(parseManifest(text.join('\n'), '.pith.yaml')).toEqual({
      project: 'harbour',
      environment: 'dev',
      repository: 'fleet',
      site_urls: ['https://example.org/docs'],
      include: ['**/*.md'],
      ignore: ['drafts/**'],
      documents: [{ match: ['guides/**'], doc_tag: 'guides' }],
    });
  });

  it('reads synonyms', () => {
    const synonyms = { login: ['sign in', 'authentication'], k8s: ['cluster'] };
    const text = 'synonyms:\n  login: [sign in, authentication]\n  k8s: [cluster]';
    expect(parseManifest(text, '.pith.yaml')).toEqual({ synonyms });
  });

  it.each([
    ['two words in a key', 'sign in: [login]', '"sign in" is not one word'],
    ['nothing', 'login: []', 'Too small'],
    ['no list', 'login: sign', 'expected array'],
    ['a synonym without a word', 'login: ["—"]', 'it has no word'],
    ['the same word', 'login: [Logins]', 'for the same word'],
    ['too many', `login: [${Array.from({ length: 9 }, (_, i) => `word${i}`).join(', ')}]`, 'Too big'],
    ['a long one', `login: [${'a'.repeat(65)}]`, 'Too big'],
  ])('refuses synonyms with %s, and says where', (_, entry, problem) => {
    const text = `project: harbour\nsynonyms:\n  ${entry}`;
    expect(refusalOf(text)?.message).toContain(problem);
    expect(lineOf(text)).toBe('3');
  });

  it('reads the settings of the corpus, with values as written', () => {
    const text = [
      'description: Harbour handbook',
      'instructions: Search first.',
      'metadata: { product: 7.10, beta: yes, stable: true }',
      'taxonomy:',
      '  version: { description: Of the shell., collapse: true, values: { 7.10: { resource: true } } }',
      '  scope: { resource: true }',
      'documents: [{ match: [a], metadata: { version: 7.10 } }]',
      'prompts: [{ name: ask, template: ask.md }]',
    ];
    expect(parseManifest(text.join('\n'), '.pith.yaml')).toEqual({
      description: 'Harbour handbook',
      instructions: 'Search first.',
      metadata: { product: '7.10', beta: 'yes', stable: 'true' },
      taxonomy: {
        version: { description: 'Of the shell.', collapse: true, values: { '7.10': { resource: true } } },
        scope: { resource: true },
      },
      documents: [{ match: ['a'], metadata: { version: '7.10' } }],
      prompts: [{ name: 'ask', template: 'ask.md' }],
    });
  });

  it.each(['content', 'heading', 'scope', 'text'])('accepts metadata named %s', (key) => {
    expect(parseManifest(`metadata: { ${key}: x }`, '.pith.yaml').metadata).toEqual({ [key]: 'x' });
  });

  it.each(['', '# nothing\n', '{}', '---\n'])('reads %j as an empty manifest', (text) => {
    expect(parseManifest(text, '.pith.yaml')).toEqual({});
  });

  it.each<[string, string, string]>([
    ['an unknown key', 'project: a\nenvironment: dev\ncolour: red\n', '3'],
    ['an unknown key of a document', 'documents:\n  - match: [a]\n    colour: red\n', '3'],
    ['a value of another type', 'project: a\nenvironment: [dev]\n', '2'],
    ['a number instead of a text', 'environment: dev\nproject: 3\n', '2'],
    ['an empty text', '\nproject: ""\n', '2'],
    ['a wrong item of a list', 'site_urls:\n  - https://example.org\n  - no url\n', '3'],
    ['a document without globs', 'project: a\ndocuments:\n  - doc_tag: x\n', '3'],
    ['an alias without an anchor', 'environment: dev\nproject: *nothing\n', '2'],
    ['a bracket that is not closed', 'project: a\ninclude: [a\n', '3'],
    ['a duplicate key', 'project: a\nproject: b\n', '2'],
    ['a reserved name of metadata', 'project: a\nmetadata:\n  ok: x\n  query: y\n', '4'],
    ['a prototype as a name', 'metadata:\n  ok: x\n  __proto__: y\n', '3'],
    ['a reserved name of one document', 'documents:\n  - match: [a]\n    metadata:\n      limit: 5\n', '4'],
    ['a reserved key', 'taxonomy:\n  version:\n    collapse: true\n  cursor:\n    collapse: true\n', '4'],
    ['a key that is not a valid name', 'taxonomy:\n  a b:\n    collapse: true\n', '2'],
    ['a list as metadata', 'metadata:\n  ok: x\n  a: [b]\n', '3'],
    ['metadata of 129 characters', `metadata:\n  ok: x\n  a: ${'x'.repeat(129)}\n`, '3'],
    ['an unknown setting of a key', 'taxonomy:\n  version:\n    colapse: true\n', '3'],
    ['an unknown setting of a value', 'taxonomy:\n  a:\n    values:\n      b: { x: 1 }\n', '4'],
    [
      'a description that is too long for tool lists',
      `taxonomy:\n  a:\n    description: ${'x'.repeat(301)}\n`,
      '3',
    ],
    ['a prompt with neither text nor file', 'prompts:\n  - name: a\n', '2'],
    [
      'a prompt with both',
      'prompts:\n  - name: a\n    template: a.md\n    messages: [{ content: x }]\n',
      '2',
    ],
    ['an argument whose name is invalid', 'prompts:\n  - name: a\n    arguments: [{ name: "a b" }]\n', '3'],
    ['a list instead of a map', '- a\n', '1'],
    ['a text instead of a map', 'project\n', '1'],
  ])('rejects %s, with file and line', (_, text, line) => {
    expect(refusalOf(text)).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'manifest_invalid' });
    expect(lineOf(text)).toBe(line);
  });

  const withInterval = (every: string): string => `sources: [{ address: ./a, every: ${every} }]\n`;

  it.each(['29s', '25d', '600h', '9999d'])('refuses %s between two looks at a source', (every) => {
    expect(refusalOf(withInterval(every))?.message).toContain('use at least 30s and at most 24d');
  });

  it.each(['30s', '15m', '576h', '24d'])('accepts %s between two looks at a source', (every) => {
    expect(refusalOf(withInterval(every))).toBeNull();
  });

  it('reports an unknown key', () => {
    expect(refusalOf('colour: red\n')?.message).toContain('colour');
  });

  it('does not expand aliases endlessly', () => {
    const bomb =
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n';
    expect(refusalOf(bomb)).toMatchObject({ reason: 'manifest_invalid' });
  });
});
