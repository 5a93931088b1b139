import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../src/core/package-facts.js';
import { toolDefinitions } from '../../support/all-tools.js';

/**
 * What decides who reads something stored, for every tool that reads and every route. A new reader has to be added here,
 * after somebody has decided who may read by it; test/acceptance tries it with an operator and a caller of another scope.
 */
const READERS: Readonly<Record<string, readonly string[]>> = {
  /** The documents in the scope of the call. */
  'scope of the call': [
    ...[
      'kb.retrieve_evidence',
      'kb.search',
      'index.search',
      'index.explain',
      'search_docs',
      'get_doc',
      'fetch',
      'search',
      'scope.describe',
    ],
    ...['graph.describe', 'graph.expand', 'graph.paths', 'graph.parents', 'graph.children', 'kb.verify'],
    ...['graph.entities_for_sections', 'graph.sections_for_entities', 'document.parse', 'document.classify'],
    ...['document.extract_tables', 'knowledge.kb_query'],
    ...['search_sections', 'get_section_text', 'describe_nodes', 'expand_neighbors', 'get_paths_between'],
    ...['list_children', 'list_parents', 'get_entities_for_sections', 'get_sections_for_entities'],
    ...['summarize_neighborhood', 'compute_context_bundle', 'traverse_relationships', 'search_documentation'],
    'diagnostics.get',
  ],
  /** The passages of the session, within the scope. */
  session: ['kb.read_excerpt', 'kb.expand_excerpt', 'kb.extract_evidence', 'scratch.list'],
  /** An answer of the caller, by its id. */
  'own answers': ['kb.feedback'],
  /** Claims all of whose evidence is in the scope. */
  evidence: ['claim.get', 'claim.list', 'claim.verify'],
  /** Runs of the caller; for operators, those within `recordsWithin`. */
  'owner or recordsWithin': ['run.get', 'run.list', 'run.events'],
  /** Rows of memory, by the tag of the principal. */
  memory: ['inner_voice.retrieve'],
  /** What the caller is offered. */
  offers: ['tool.list', 'tool.describe'],
  /** Everybody of the project and environment, by design: docs/domains.md. */
  project: [
    ...['substrate.artifact.get', 'substrate.artifact.info', 'substrate.manifest.checkout'],
    ...['substrate.manifest.history', 'substrate.manifest.diff', 'substrate.pointer.list'],
    ...[
      'substrate.pointer.resolve',
      'schema.get',
      'schema.list',
      'schema.validate',
      'knowledge.kb_list',
      'index.status',
    ],
  ],
};

/** Controllers of the console and what decides there. */
const CONTROLLERS: Readonly<Record<string, string>> = {
  'admin/admin-api.controller.ts': 'archive.within',
  'admin/admin-page.controller.ts': 'archive.within',
  'governance/pages/runs/runs.controller.ts': 'OperatorScopesService',
  'governance/pages/approvals/approvals.controller.ts': 'OperatorScopesService',
  'governance/pages/policy/policy.controller.ts': 'OperatorScopesService',
  'work/claims/claims.controller.ts': 'scopes.resolve',
  'work/questions/gaps.controller.ts': 'OperatorScopesService',
  'work/corpora/corpora.controller.ts': 'project',
  'work/substrate/pointers/pointers.controller.ts': 'project',
  'governance/pages/providers/providers.controller.ts': 'configuration',
  'governance/pages/tools/tools.controller.ts': 'configuration',
  'governance/pages/approvals/approval-webhook.controller.ts': 'a signature',
  'mcp/http/source-hooks.controller.ts': 'a signature',
  'admin/metrics.controller.ts': 'totals',
  'work/substrate/artifact-routes.controller.ts': 'calls of tools',
  'mcp/http/oauth/protected-resource.controller.ts': 'public',
  'mcp/http/health.controller.ts': 'public',
  'admin/people/welcome.controller.ts': 'public',
  'admin/people/page.controller.ts': 'calls of tools',
  'mcp/http/mcp.controller.ts': 'calls of tools',
};

const SOURCES = join(PACKAGE_ROOT, 'src');

describe('readers of what is stored', () => {
  it('are all known: every tool that reads', () => {
    const reading = toolDefinitions().filter(({ safety = 'read' }) => safety === 'read');
    expect(reading.map(({ name }) => name).sort()).toEqual(Object.values(READERS).flat().sort());
  });

  it('are all known: every controller with a route', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const routed = files.filter(
      (file) =>
        file.endsWith('.controller.ts') &&
        /^\s+@(?:HtmlPage|Get|Post)\(/m.test(readFileSync(join(SOURCES, file), 'utf8')),
    );
    expect(routed.sort()).toEqual(Object.keys(CONTROLLERS).sort());
  });

  it('use the one place that decides what operators with a scope read', () => {
    const named = Object.entries(CONTROLLERS).filter(([, how]) => /^[A-Z]|\./.test(how));
    expect(named.filter(([file, how]) => !readFileSync(join(SOURCES, file), 'utf8').includes(how))).toEqual(
      [],
    );
  });
});
