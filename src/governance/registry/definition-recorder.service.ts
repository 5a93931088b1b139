import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { canonicalJson } from '../../text/canonical-json.js';
import { DefinitionStore, type RegisteredDefinition } from './definition-store.js';
import type { RegisteredTool } from './registered-tool.js';
import { ToolRegistry } from './tool-registry.js';

/** The definition of a tool, as it is stored. */
export function definitionRow(tool: RegisteredTool): RegisteredDefinition {
  const { name, version, schemaHash, provider } = tool;
  const facts = canonicalJson({
    namespace: tool.namespace,
    title: tool.title,
    description: tool.description,
    safety: tool.safety,
    permission: tool.permission,
    mounts: tool.mounts,
    capabilities: tool.capabilities,
    approval: tool.approval,
    budget: tool.budget,
    annotations: tool.annotations,
    input_schema: tool.inputSchema,
    output_schema: tool.outputSchema,
  });
  return { name, version, schemaHash, provider, facts };
}

const keyOf = (definition: RegisteredDefinition): string =>
  createHash('sha256').update(canonicalJson(definition)).digest('base64');

/** Stores the definitions of the registry while the server runs, if there is a store. Nothing waits for it. */
@Injectable()
export class DefinitionRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('tools');
  private readonly noted = new Set<string>();
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly registry: ToolRegistry,
    @Inject(DefinitionStore) private readonly store: DefinitionStore | null,
  ) {}

  onApplicationBootstrap(): void {
    const { store, registry } = this;
    if (!store) return;
    registry.onChange(() => this.noteLater(store));
    this.noteLater(store);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.working;
    await this.store?.close();
  }

  private noteLater(store: DefinitionStore): void {
    this.working = this.working.then(() =>
      this.note(store).catch((error: unknown) =>
        this.logger.warn(`definitions of tools could not be stored: ${String(error)}`),
      ),
    );
  }

  private async note(store: DefinitionStore): Promise<void> {
    const rows: RegisteredDefinition[] = [];
    for (const tool of this.registry.all()) {
      // Making schemas takes time: calls are answered in between.
      await nextTurn();
      const row = definitionRow(tool);
      if (!this.noted.has(keyOf(row))) rows.push(row);
    }
    if (rows.length === 0) return;
    const replaced = await store.note(rows, Date.now());
    for (const row of rows) this.noted.add(keyOf(row));
    for (const { name, version, schemaHash } of replaced)
      this.logger.warn(
        `${name} version ${version} has another schema than before (${schemaHash.slice(0, 12)}); see pith tools history ${name}`,
      );
  }
}
