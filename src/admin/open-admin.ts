import { adminDoor } from './admin.module.js';
import { DiagnosticArchive } from '../diagnostics/archive/diagnostic-archive.js';
import { ScopedArchive } from '../diagnostics/archive/scoped-archive.js';
import { VERSION } from '../core/package-facts.js';
import { ScopeService } from '../scope/scope.service.js';
import type { ServerParts } from '../server-parts.js';

/** What operators find at /admin and /metrics of a server; nothing where no token is set. */
export function operatorDoor(parts: ServerParts): ReturnType<typeof adminDoor> {
  const { config, surface, index, graph, scratch, diagnostics, history, metrics } = parts;
  if (!history || !metrics) return { controllers: [], providers: [] };
  const scopes = new ScopeService(index, config.scope);
  const retrievals = [...surface.tools.values()].filter(({ definition }) => definition.isRetrieval);
  return adminDoor({
    config,
    index,
    graph,
    scratch,
    diagnostics: new ScopedArchive(new DiagnosticArchive(config.diagnostics.dir), () =>
      scopes.forOperators(Date.now()),
    ),
    writer: diagnostics.writer,
    history,
    metrics,
    tools: retrievals.map(({ definition }) => definition.name),
    version: VERSION,
    startedAt: Date.now(),
    now: Date.now,
  });
}
