import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call, Caller } from '../../core/call.js';
import { decodeCursor, encodeCursor } from '../../core/cursor.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import { mayCall } from '../../mcp/surface/adapt-text.js';
import { canonicalName, spelledFor, Surface } from '../../mcp/surface/surface.js';
import { clipText } from '../../text/span.js';
import { GovernanceService } from '../governance.service.js';
import type { RegisteredTool } from '../registry/registered-tool.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import type { ToolDescription, ToolListing } from './tool-listing.schemas.js';

export interface ListedPage {
  readonly namespace: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

const byName = (a: RegisteredTool, b: RegisteredTool): number => (a.name < b.name ? -1 : 1);

const entryOf = ({ name, title, version, safety, provider }: RegisteredTool, { host }: Caller) => ({
  name: spelledFor(name, host),
  title,
  version,
  safety,
  provider,
});

/** Describes the tools that a caller is offered. */
@Injectable()
export class ToolListingService {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly governance: GovernanceService,
    private readonly surface: Surface,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad cursor, or one of another list */
  list({ caller }: Call, { namespace, limit, cursor }: ListedPage): Reply<ToolListing> {
    const offered = this.registry
      .all()
      .filter((tool) => namespace === null || tool.namespace === namespace)
      .filter((tool) => this.isListed(tool) && this.isOffered(tool, caller))
      .sort(byName);
    const { principal } = caller;
    const binding = {
      question: ['tool.list', ...offered.map(({ name }) => name)],
      principal,
      generation: '',
    };
    const { secret } = this.signing;
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, secret);
    const page = offered.slice(offset, offset + limit);
    return listReply({ count: page.length, maxChars: 0, isPage: true }, (fit) => {
      const next = offset + fit.count;
      const hasMore = next < offered.length;
      return {
        tools: keptOf(page, fit).map((tool) => entryOf(tool, caller)),
        total: offered.length,
        partial: hasMore || fit.reason !== null,
        limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
        next_cursor: hasMore ? encodeCursor(next, binding, secret) : null,
        ...shownSkipped(fit),
      };
    });
  }

  /** @throws InvalidArgumentError `tool_not_found`, also for a tool that exists but is not offered */
  describe(call: Call, name: string): Reply<ToolDescription> {
    const { caller } = call;
    const tool = this.registry.find(canonicalName(this.surface, name));
    if (!tool || !this.isOffered(tool, caller)) {
      throw new InvalidArgumentError('You are not offered a tool of this name.', {
        reason: 'tool_not_found',
        hint: 'Call tool.list for the names.',
      });
    }
    const { effect, rule, approval } = this.governance.explain({ ...call, input: null }, tool.name);
    const { inputSchema, outputSchema, description } = tool;
    const lengths = [inputSchema, outputSchema].map((schema) => JSON.stringify(schema).length);
    const maxChars = Math.max(description.length, ...lengths);
    return listReply({ count: 1, maxChars }, (fit) => {
      const [input, output] = [inputSchema, outputSchema].map((schema, i) =>
        (lengths[i] ?? 0) <= fit.maxChars ? schema : null,
      );
      return {
        ...entryOf(tool, caller),
        namespace: tool.namespace,
        description: clipText(description, fit.maxChars),
        permission: tool.permission,
        mounts: [...tool.mounts],
        capabilities: [...tool.capabilities],
        policy: { effect, rule, approver: approval?.approver ?? null },
        budget: tool.budget,
        schema_hash: tool.schemaHash,
        input_schema: input ?? null,
        output_schema: output ?? null,
        partial: fit.reason !== null,
        limit_reason: fit.reason ?? 'none',
      };
    });
  }

  /** Older names are callable, but only listed if the server lists them. */
  private isListed({ name }: RegisteredTool): boolean {
    return this.surface.tools.get(name)?.isListed === true;
  }

  private isOffered({ name }: RegisteredTool, caller: Caller): boolean {
    const state = this.surface.tools.get(name);
    return state !== undefined && mayCall(state, this.surface, caller);
  }
}
