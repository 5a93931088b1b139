import { parse } from 'yaml';
import { skillText } from '../../../src/cli/commands/skill.command.js';
import { isUnchangedSkill, skillFile } from '../../../src/kb/skill-text.js';
import { readExcerptTool } from '../../../src/kb/tools/read-excerpt.tool.js';
import { retrieveEvidenceTool } from '../../../src/kb/tools/retrieve-evidence.tool.js';

const frontMatter = (text: string): Record<string, string> => parse(text.split('---\n')[1] ?? '');

describe('skillText', () => {
  const text = skillText(null);

  it('has front matter with the name of its folder and when to use it', () => {
    expect(frontMatter(text)).toEqual({
      name: 'pith',
      description: expect.stringContaining('Use when a question should be answered from the documents'),
    });
  });

  it('names what the documents are about, in a description that hosts accept', () => {
    const { description = '' } = frontMatter(skillText(`the "Harbour":\n---\n${'guide '.repeat(400)}`));
    expect(description).toContain('indexed: the "Harbour": --- guide');
    expect(description.length).toBeLessThanOrEqual(1_024);
  });

  it('names only tools that its reader has, and does not exist without the one that answers', () => {
    const some = [retrieveEvidenceTool, readExcerptTool];
    const file = skillFile('harbours', some);
    expect(frontMatter(file?.text ?? '')).toEqual({ name: 'pith', description: file?.description });
    expect(file?.text).toContain('`kb_read_excerpt` when');
    expect(file?.text).not.toContain('`kb_expand_excerpt` when');
    expect(skillFile(null, [])).toBeNull();
  });

  it.each([
    ['the tool to call', /Call `kb_retrieve_evidence` when/],
    ['keywords', /- `keywords`: Send 2 to 8 terms/],
    ['parts', /- `parts`: Sub-questions/],
    ['what unlikely means', /- `unlikely`: the documents probably do not contain the answer/],
    ['how to cite', /## How to cite\n\nQuotes are verbatim/],
    ['how to read on', /- `kb_read_excerpt` when a preview or quote is not enough/],
  ])('says: %s', (_, words) => {
    expect(text).toMatch(words);
  });

  it('names tools as hosts list them, without dots', () => {
    expect(text).not.toMatch(/\bkb\.\w/);
  });
});

describe('isUnchangedSkill', () => {
  it('accepts a skill as it was written', () => {
    expect(isUnchangedSkill(skillText('ships'))).toBe(true);
  });

  it.each([
    ['with an added line', (text: string) => text.replace('## When to ask', '## When to ask\n\nAlways.')],
    ['with a line after its end', (text: string) => `${text}Mine.\n`],
    ['without the checksum', (text: string) => text.replace(/<!--.*-->\n$/, '')],
    ['that is empty', () => ''],
  ])('refuses one %s', (_, change) => {
    expect(isUnchangedSkill(change(skillText('ships')))).toBe(false);
  });
});
