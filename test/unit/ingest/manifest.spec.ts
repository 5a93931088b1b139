import { InvalidArgumentError } from '../../../src/errors.js';
import { parseManifest } from '../../../src/ingest/manifest.js';

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

describe('parseManifest', () => {
  it('reads everything that a manifest may say', () => {
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

  it.each(['', '# nothing\n', '{}', '---\n'])('takes %j for an empty manifest', (text) => {
    expect(parseManifest(text, '.pith.yaml')).toEqual({});
  });

  it.each<[string, string, string]>([
    ['an unknown key', 'project: a\nenvironment: dev\ncolour: red\n', '3'],
    ['an unknown key of a document', 'documents:\n  - match: [a]\n    colour: red\n', '3'],
    ['a value of another type', 'project: a\nenvironment: [dev]\n', '2'],
    ['a number where a text belongs', 'environment: dev\nproject: 3\n', '2'],
    ['an empty text', '\nproject: ""\n', '2'],
    ['a wrong item of a list', 'site_urls:\n  - https://example.org\n  - no url\n', '3'],
    ['a document without globs', 'project: a\ndocuments:\n  - doc_tag: x\n', '3'],
    ['an alias of nothing', 'environment: dev\nproject: *nothing\n', '2'],
    ['a bracket that is not closed', 'project: a\ninclude: [a\n', '3'],
    ['a key that is given twice', 'project: a\nproject: b\n', '2'],
    ['a list in place of a map', '- a\n', '1'],
    ['a text in place of a map', 'project\n', '1'],
  ])('refuses %s, with file and line', (_, text, line) => {
    expect(refusalOf(text)).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'manifest_invalid' });
    expect(lineOf(text)).toBe(line);
  });

  it('names an unknown key', () => {
    expect(refusalOf('colour: red\n')?.message).toContain('colour');
  });

  it('does not unfold aliases without end', () => {
    const bomb =
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n';
    expect(refusalOf(bomb)).toMatchObject({ reason: 'manifest_invalid' });
  });
});
