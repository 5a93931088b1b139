import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { SKILL_NAME } from '../../core/package-facts.js';
import { KB_TOOLS } from '../../kb/kb.module.js';
import { isUnchangedSkill, skillFile } from '../../kb/skill-text.js';
import { definitionsOf } from '../../mcp/define-tool.js';
import { EXIT } from '../failures.js';
import { settingsFrom, type SkillFlags } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { type OpenSession, withSession } from '../running/session.js';

/**
 * Folders of skills in a project, by host. Sources: code.claude.com/docs/en/skills, developers.openai.com/codex/skills,
 * geminicli.com/docs/cli/skills.
 */
const FOLDERS: Readonly<Record<SkillFlags['host'], string>> = {
  'claude-code': '.claude/skills',
  codex: '.agents/skills',
  'gemini-cli': '.gemini/skills',
};

/** The text of a skill for files. @param about  null if the manifest does not say what the documents are about */
export const skillText = (about: string | null): string =>
  skillFile(about, definitionsOf(KB_TOOLS))?.text ?? '';

interface SkillText {
  readonly text: string;
  /** True to replace a file that somebody has changed. */
  readonly isForced: boolean;
}

/** The manifest's description of the documents; null if there is no index that can be read. */
export async function aboutDocuments(
  flags: Pick<SkillFlags, 'index'>,
  open: OpenSession,
): Promise<string | null> {
  const config = loadConfig(settingsFrom({ index: flags.index }));
  if (!existsSync(config.index.file)) return null;
  return withSession(open(config), async ({ index, scope }) => {
    try {
      return (await index.corpus(await scope())).description;
    } catch (error) {
      if (error instanceof PithError) return null;
      throw error;
    }
  });
}

/** Refuses to write through links below a folder, which a repository may have. @throws InvalidArgumentError `file_linked` */
export function refuseLinks(root: string, file: string): void {
  if (file === root || dirname(file) === file) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new InvalidArgumentError(`${file} is a symbolic link, so nothing is written there.`, {
      reason: 'file_linked',
      hint: 'Remove the link, or write the file by hand.',
    });
  refuseLinks(root, dirname(file));
}

/**
 * Writes a skill, unless somebody has changed it.
 * @param root  the folder that the user named; links below it are not followed
 * @returns false if it is already there
 * @throws InvalidArgumentError `skill_changed`, `file_linked`
 */
export function writeSkill(root: string, path: string, { text, isForced }: SkillText): boolean {
  const file = join(root, path);
  refuseLinks(root, file);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (before === text) return false;
  if (before !== null && !isForced && !isUnchangedSkill(before))
    throw new InvalidArgumentError(`${file} was changed, so it is not replaced.`, {
      reason: 'skill_changed',
      hint: 'pith skill --print prints the new text; --force replaces the file.',
    });
  makeFolder(dirname(file));
  writeFileSync(file, text);
  return true;
}

/** `pith skill`: writes or prints a skill that tells an agent when and how to ask Pith. */
export async function skill(flags: SkillFlags, open: OpenSession): Promise<number> {
  const text = skillText(await aboutDocuments(flags, open));
  if (flags.print === true) {
    print(text.trimEnd());
    return EXIT.ok;
  }
  const root = resolve(flags.folder ?? '.');
  const path = join(FOLDERS[flags.host], SKILL_NAME, 'SKILL.md');
  const isWritten = writeSkill(root, path, { text, isForced: flags.force === true });
  const file = join(root, path);
  print(isWritten ? `Wrote ${file}. Hosts read it when they start.` : `${file} is up to date.`);
  return EXIT.ok;
}
