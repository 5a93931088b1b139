import { restLines } from '../core/reply.js';
import { defineTool } from '../mcp/define-tool.js';
import { toolController } from '../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../text/untrusted-text.js';
import { isVersionName } from '../text/version-name.js';
import {
  describeScopeInput,
  describeScopeOutput,
  MAX_LISTED_DOCUMENTS,
  type ScopeDescription,
} from './describe-scope.schemas.js';
import { DescribeScopeService } from './describe-scope.service.js';

export const describeScopeTool = defineTool({
  name: 'scope.describe',
  title: 'What can be searched',
  description:
    'Use when you want to know what this server covers: collections (doc_tags), repositories, their sizes and the ' +
    'date of the index; or, with documents, a list of all documents. Do not use when you have a question: call ' +
    'kb.retrieve_evidence. Returns at most 50 doc_tags and 50 repositories with counts, or a page of document paths ' +
    'and titles. If you need more, call get_doc with a path to read that document. Defaults: everything you may see. ' +
    'Max: 50 each.',
  input: describeScopeInput,
  output: describeScopeOutput,
  feature: 'always',
  isCore: false,
  permission: 'read',
  version: '2',
  mounts: ['documents'],
  budget: { bytes: 16_384, tokens: 6_000 },
  rendering: {
    full: scopeText,
    summary: ({ project_id, documents, sections }) =>
      `Project ${project_id}: ${documents} documents, ${sections} sections.`,
  },
});

const sizeText = (bytes: number): string => (bytes === 0 ? '' : `, ${(bytes / 1_000_000).toFixed(1)} MB`);

/** Flagged documents, each in one line. */
function flaggedLines({ flagged }: ScopeDescription): string[] {
  if (!flagged) return [];
  const lines = flagged.first.map(
    ({ path, flags }) => `  ${path}: ${flags.map(({ line, reason }) => `line ${line} ${reason}`).join('; ')}`,
  );
  const more = flagged.documents - flagged.first.length;
  return [
    `Documents that address assistants or hide characters: ${flagged.documents}. Quote them with care.`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** The sources with the age of their copies. */
function sourceLines({ sources = [] }: ScopeDescription): string[] {
  const named = sources.map(({ name, checked_at, failing }) => {
    const age = checked_at === null ? 'not read yet' : `read at ${checked_at}`;
    return `${name} (${age}${failing === true ? ', failing since' : ''})`;
  });
  return named.length > 0 ? [`Sources: ${named.join(', ')}`] : [];
}

/** The versions of documents. Those of documents that are not trusted can be any text. */
function versionLines({ versions = [] }: ScopeDescription): string[] {
  const names = versions.filter(isVersionName);
  return names.length > 0 ? [`Versions: ${names.join(', ')}`] : [];
}

function scopeText(scope: ScopeDescription, fence: TextFence = NO_FENCE): string {
  const list = (facets: ScopeDescription['repositories']): string =>
    facets
      .map(({ name, sections, trusted = true }) => `${name} (${sections}${trusted ? '' : ', not trusted'})`)
      .join(', ') || 'none';
  const { listed } = scope;
  if (listed) return listingText(scope, listed, fence);
  return [
    `Project ${scope.project_id} (${scope.environment}): ${scope.documents} documents, ${scope.sections} sections.`,
    `Doc tags (sections): ${list(scope.doc_tags)}`,
    `Repositories (sections): ${list(scope.repositories)}`,
    ...versionLines(scope),
    `Indexed at ${scope.indexed_at}${sizeText(scope.index_bytes)}; engines: ${scope.engines.join(', ')}.`,
    ...sourceLines(scope),
    ...flaggedLines(scope),
    ...(scope.partial ? ['The lists of tags and repositories are truncated.'] : []),
  ].join('\n');
}

function listingText(
  { documents, ...page }: ScopeDescription,
  listed: NonNullable<ScopeDescription['listed']>,
  fence: TextFence,
): string {
  const paths = listed.map(({ path }) => path);
  const lines = listed.map(({ path, title, doc_tag: tag }) => `${path}: ${title} (${tag})`);
  return [
    `${documents} documents.`,
    ...(lines.length > 0 ? [fence(paths, lines.join('\n'))] : []),
    ...restLines(page),
  ].join('\n');
}

export const DescribeScopeTool = toolController(
  DescribeScopeService,
  describeScopeTool,
  (service, call, { documents, cursor = null }) =>
    documents === undefined && cursor === null
      ? service.describe(call)
      : service.list(call, { count: documents ?? MAX_LISTED_DOCUMENTS, cursor }),
);
