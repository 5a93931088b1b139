import { createHash } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

// The Skills extension (SEP-2640): https://github.com/modelcontextprotocol/ext-skills/tree/main/specification/stable

/** The extension as servers declare it. */
export const SERVES_SKILLS = { 'io.modelcontextprotocol/skills': {} };

/** A file SKILL.md, with the fields of its front matter. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

export const SKILL_METHODS = ['skills/list', 'skills/get'] as const;

/** Fields of results that clients may keep. The text follows the manifest. */
const CACHE = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
const MIME_TYPE = 'text/markdown';

const skillUri = ({ name }: SkillFile): string => `skill://${name}/SKILL.md`;

function toEntry(skill: SkillFile) {
  const { name, description, text } = skill;
  const uri = skillUri(skill);
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return {
    uri,
    frontmatter: { name, description },
    resources: [{ uri, digest, size: Buffer.byteLength(text) }],
  };
}

/**
 * Answers a request about skills. @param skill  null if the caller is not offered the tools that it explains
 * @throws ProtocolError for the URI of no skill
 */
export function answerSkills(method: string, uri: string, skill: SkillFile | null): object {
  if (method === 'skills/list') return { skills: skill ? [toEntry(skill)] : [], ...CACHE };
  if (skill && uri === skillUri(skill)) return { skill: toEntry(skill), ...CACHE };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Skill not found. Use a URI of skills/list.');
}

/** The contents of a skill; null for another URI. */
export function readSkill(uri: string, skill: SkillFile | null): object | null {
  if (!skill || uri !== skillUri(skill)) return null;
  return { contents: [{ uri, mimeType: MIME_TYPE, text: skill.text }] };
}
