import { skippedText } from '../core/reply.js';
import type { ScopeDescription } from './describe-scope.tool.js';

const mega = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The scope as text, for hosts that forward text only. */
export function scopeText(scope: ScopeDescription): string {
  const list = (facets: ScopeDescription['doc_tags']): string =>
    facets.map(({ name, sections }) => `${name} (${sections})`).join(', ') || 'none';
  const { listed } = scope;
  if (listed) return listingText(scope, listed);
  return [
    `Project ${scope.project_id} (${scope.environment}): ${scope.documents} documents, ${scope.sections} sections.`,
    `Doc tags (sections): ${list(scope.doc_tags)}`,
    `Repositories (sections): ${list(scope.repositories)}`,
    `Indexed at ${scope.indexed_at}, ${mega(scope.index_bytes)}; engines: ${scope.engines.join(', ')}.`,
    ...(scope.partial ? ['The lists of tags and repositories are truncated.'] : []),
  ].join('\n');
}

function listingText(
  { documents, next_cursor: cursor, skipped }: ScopeDescription,
  listed: NonNullable<ScopeDescription['listed']>,
): string {
  const left = skippedText(skipped);
  return [
    `${documents} documents.`,
    ...listed.map(({ path, title, doc_tag: tag }) => `${path}: ${title} (${tag})`),
    ...(left ? [left] : []),
    ...(cursor ? [`More: cursor ${cursor}`] : []),
  ].join('\n');
}

/** One line, for hosts that show the structured output. */
export function scopeSummary({ project_id, documents, sections }: ScopeDescription): string {
  return `Project ${project_id}: ${documents} documents, ${sections} sections.`;
}
