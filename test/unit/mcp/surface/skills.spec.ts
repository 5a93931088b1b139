import { answerSkills, readSkill } from '../../../../src/mcp/surface/skills.js';

const URI = 'skill://pith/SKILL.md';
const SKILL = { name: 'pith', description: 'When to ask.', text: 'Ünder' };
const ENTRY = {
  uri: URI,
  frontmatter: { name: 'pith', description: 'When to ask.' },
  resources: [
    {
      uri: URI,
      digest: 'sha256:edb9147ab3c4e2b224067cb988ca9d74760e0c8654a55a80dbdd0b7fc63029b6',
      size: 6,
    },
  ],
};
const CACHE = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };

describe('answerSkills', () => {
  it('lists the skill with its front matter, and digest and size of its bytes', () => {
    expect(answerSkills('skills/list', '', SKILL)).toEqual({ skills: [ENTRY], ...CACHE });
    expect(answerSkills('skills/get', URI, SKILL)).toEqual({ skill: ENTRY, ...CACHE });
  });

  it('has no skill for a caller without its tools, or at another address', () => {
    expect(answerSkills('skills/list', '', null)).toEqual({ skills: [], ...CACHE });
    for (const [uri, skill] of [
      [URI, null],
      ['skill://other/SKILL.md', SKILL],
    ] as const)
      expect(() => answerSkills('skills/get', uri, skill)).toThrow('Skill not found');
  });
});

describe('readSkill', () => {
  it('reads the skill by its address only', () => {
    expect(readSkill(URI, SKILL)).toEqual({
      contents: [{ uri: URI, mimeType: 'text/markdown', text: 'Ünder' }],
    });
    expect([readSkill(`${URI}/`, SKILL), readSkill(URI, null)]).toEqual([null, null]);
  });
});
