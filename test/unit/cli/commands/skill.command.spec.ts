import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeSkill } from '../../../../src/cli/commands/skill.command.js';
import { testFolder } from '../../../support/test-folder.js';

const PATH = '.claude/skills/pith/SKILL.md';
const SKILL = { text: 'Ask Pith.', isForced: true };
const folder = testFolder();
afterAll(() => folder.remove());

describe('writeSkill', () => {
  it('writes the file into new folders', () => {
    expect(writeSkill(folder.file('new'), PATH, SKILL)).toBe(true);
    expect(readFileSync(join(folder.file('new'), PATH), 'utf8')).toBe(SKILL.text);
    expect(writeSkill(folder.file('new'), PATH, SKILL)).toBe(false);
  });

  it('writes through no link of the folder, even to a file that does not exist', () => {
    const [root, elsewhere] = [folder.file('linked'), folder.file('elsewhere')];
    mkdirSync(join(root, '.claude', 'skills', 'pith'), { recursive: true });
    mkdirSync(elsewhere);
    symlinkSync(join(elsewhere, '.zshenv'), join(root, PATH));
    symlinkSync(elsewhere, join(root, '.agents'));
    for (const path of [PATH, '.agents/skills/pith/SKILL.md'])
      expect(() => writeSkill(root, path, SKILL)).toThrow('is a symbolic link');
    expect(existsSync(join(elsewhere, '.zshenv'))).toBe(false);
    expect(existsSync(join(elsewhere, 'skills'))).toBe(false);
  });

  it('follows a link to the folder itself', () => {
    mkdirSync(folder.file('real'));
    symlinkSync(folder.file('real'), folder.file('link'));
    expect(writeSkill(folder.file('link'), PATH, SKILL)).toBe(true);
  });
});
