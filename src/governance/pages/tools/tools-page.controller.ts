import { Inject } from '@nestjs/common';
import { AdminController, HtmlPage } from '../../../admin/admin.guard.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { Surface } from '../../../mcp/surface/surface.js';
import { GovernanceService } from '../../governance.service.js';
import { DefinitionStore } from '../../registry/definition-store.port.js';
import { ToolRegistry } from '../../registry/tool-registry.js';
import { toolsPage } from './tools-page.js';

/** The page about the registry of tools. */
@AdminController('admin')
export class ToolsPageController {
  @Inject(DefinitionStore)
  private readonly definitions: DefinitionStore | null = null;

  constructor(
    private readonly server: ServerFacts,
    private readonly registry: ToolRegistry,
    private readonly governance: GovernanceService,
    private readonly surface: Surface,
  ) {}

  @HtmlPage('tools')
  tools(): string {
    const { governance, surface } = this;
    const rows = this.registry.all().map((tool) => ({
      tool,
      isOn: surface.tools.get(tool.name)?.isOn === true,
      hasHistory: this.definitions !== null,
      agents: governance.agentsOffered(tool.name),
    }));
    return toolsPage(rows, governance.aliases, this.server.frame);
  }
}
