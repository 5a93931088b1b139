import type { ModuleRef } from '@nestjs/core';
import { AnsweringParts, type ServerFacts } from '../../src/admin/admin-parts.js';
import { menuOf } from '../../src/admin/console.pages.js';
import type { Frame } from '../../src/admin/views/layout.js';
import { parseConfig } from '../../src/config/config.js';
import type { GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { ScratchStore } from '../../src/core/ports/scratch-store.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { DiagnosticWriter } from '../../src/diagnostics/archive/diagnostic-writer.js';
import { GOVERNANCE_PAGES } from '../../src/governance/pages/governance.pages.js';
import { ScopeService } from '../../src/scope/scope.service.js';
import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { WORK_PAGES } from '../../src/work/work.pages.js';
import { FixedIndex, NOW } from './builders.js';

/** The frame of a server on which every feature is on. */
export const FRAME: Frame = {
  version: '0.0.0',
  menu: menuOf(
    [GOVERNANCE_PAGES, WORK_PAGES].map((pages) => ({
      ...pages,
      menu: pages.menu.map((entry) => ({ ...entry, isUsed: () => true })),
    })),
    {} as ModuleRef,
  ),
};

/** The facts of a server that has run for an hour. */
export function serverFacts(env: Readonly<Record<string, string>> = {}): ServerFacts {
  return {
    config: parseConfig({ PITH_ADMIN_TOKEN: 'the-operators-token', ...env }),
    tools: ['kb.search', 'kb.retrieve_evidence'],
    version: FRAME.version,
    frame: FRAME,
    startedAt: NOW - 3_600_000,
    now: () => NOW,
    steady: () => NOW,
  };
}

/** The parts of a server that answer; those that are not given work. */
export function answeringParts(
  { config, now }: ServerFacts,
  parts: { index?: SectionIndex; graph?: GraphStore; scratch?: ScratchStore } = {},
): AnsweringParts {
  const limits = { ttlMs: 60_000, maxBytes: 1_000_000, now, onPressure: () => undefined };
  const { index = new FixedIndex([]), graph = null, scratch = new MemoryScratchStore(limits) } = parts;
  return new AnsweringParts(index, graph, scratch, new ScopeService(index, config.scope));
}

/** A writer of diagnostics that has written nothing. */
export const idleWriter = (folder: string): DiagnosticWriter =>
  new DiagnosticWriter({ folder, onFailure: () => undefined });
