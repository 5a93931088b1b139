import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { plainLine } from '../../../text/plain-line.js';
import { type IndexStatus, indexStatusInput, indexStatusOutput } from './index-status.schemas.js';
import { IndexStatusService } from './index-status.service.js';
import { manifestText, refsOfManifest } from './manifest-facts.js';

export const indexStatusTool = defineTool({
  name: 'index.status',
  title: 'State of the index',
  description:
    'Use when you want to know how current the index is, what it was built from, or if it is being built now. ' +
    'Do not use when you want to know which collections exist: call scope.describe. ' +
    'Returns at most one state: generation, documents, sections, time, engines, embedder, whether this server indexes now. ' +
    'If you need more, call index.search. ' +
    'Defaults: without known_generation, changed is left out. Max: one state.',
  input: indexStatusInput,
  output: indexStatusOutput,
  feature: 'index',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 4_096, tokens: 1_500 },
  rendering: { full: statusText, summary: statusText, refs: ({ source }) => refsOfManifest(source ?? {}) },
});

function statusText(status: IndexStatus): string {
  const { generation, documents, sections, engines, embedder, source } = status;
  const running = status.is_running ? 'This server indexes now.' : 'This server does not index now.';
  if (generation === null) return `There is no index that this server can read. ${running}`;
  const from = source === null ? '' : ` from ${sourceText(source)}`;
  const changed =
    status.changed === undefined ? [] : [status.changed ? 'It has changed.' : 'It has not changed.'];
  return [
    `${documents} documents, ${sections} sections; generation ${generation}, indexed at ${status.indexed_at}${from}.`,
    ...changed,
    `Engines: ${engines.join(', ')}; embedder: ${embedder ?? 'none'}. ${running}`,
  ].join('\n');
}

const sourceText = (source: NonNullable<IndexStatus['source']>): string =>
  manifestText(source) || `folder ${plainLine(source.path ?? source.name ?? '')}`;

export const IndexStatusTool = toolController(
  IndexStatusService,
  indexStatusTool,
  (service, call, { known_generation }) => service.describe(call, known_generation),
);
