import type { ExecutionContext } from '@nestjs/common';
import { ScopeConfig } from '../../../src/config/settings/scope.config.js';
import type { Call } from '../../../src/core/call.js';
import type { IndexStamp } from '../../../src/core/ports/index-facts.js';
import type { IndexRuns } from '../../../src/core/ports/index-runs.port.js';
import type { ScopeRequest } from '../../../src/core/scope.js';
import { beginCall, currentCall } from '../../../src/mcp/calls.js';
import type { AnyTool } from '../../../src/mcp/define-tool.js';
import { describeScopeTool } from '../../../src/scope/describe-scope.tool.js';
import { ScopeGuard } from '../../../src/scope/scope.guard.js';
import { ScopeService } from '../../../src/scope/scope.service.js';
import { aCall, FixedIndex } from '../../support/builders.js';

const FAILING_SINCE = Date.UTC(2026, 0, 1);

interface Passed {
  readonly tool?: AnyTool;
  readonly data?: object;
  readonly limit?: ScopeRequest;
  readonly stamp?: Partial<IndexStamp>;
}

/** The call after the guard, on a server that is configured for the tags a and b. */
async function pass({ tool, data = {}, limit = {}, stamp }: Passed): Promise<Call | undefined> {
  const sdkContext = {};
  beginCall(sdkContext, aCall({ scope: { projectId: 'none yet' }, caller: { scopeLimit: limit } }), { tool });
  const mcp = { getArgByIndex: () => sdkContext };
  const context = {
    getType: () => 'rpc',
    getHandler: () => () => undefined,
    switchToRpc: () => ({ getContext: () => mcp, getData: () => data }),
  };
  const config = Object.assign(new ScopeConfig(), { project: 'docs', docTags: ['a', 'b'] });
  const scopes = new ScopeService(new FixedIndex([], stamp), config);
  const guard = new ScopeGuard(scopes, { failingSince: FAILING_SINCE } as unknown as IndexRuns);
  expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
  return currentCall(sdkContext);
}

const unscoped: AnyTool = { ...describeScopeTool, feature: 'legacy' };
const writer: AnyTool = { ...describeScopeTool, feature: 'registry' };
const askA = { scope: { doc_tags: ['a'] } };

describe('ScopeGuard', () => {
  it('gives a call the scope that it asks for', async () => {
    const call = await pass({ tool: describeScopeTool, data: askA });
    expect(call?.scope).toMatchObject({ projectId: 'docs', docTags: ['a'] });
  });

  it('gives a call without a scope the one of the server', async () => {
    expect((await pass({ tool: describeScopeTool }))?.scope.docTags).toEqual(['a', 'b']);
  });

  it('never gives more than the limit of the caller', async () => {
    const limit = { doc_tags: ['b', 'c'] };
    expect((await pass({ tool: describeScopeTool, limit }))?.scope.docTags).toEqual(['b']);
    expect((await pass({ tool: writer, limit }))?.scope.docTags).toEqual(['b']);
    await expect(pass({ tool: describeScopeTool, data: askA, limit })).rejects.toMatchObject({
      reason: 'doc_tags_mismatch',
    });
  });

  it('does not read the scope of a tool that takes none', async () => {
    const call = await pass({ tool: unscoped, data: { scope: 'of something else' } });
    expect(call?.scope.docTags).toEqual(['a', 'b']);
  });

  it.each([{ scope: { doc_tags: 'a' } }, { scope: { tags: [] } }, { scope: { project_id: '' } }])(
    'refuses %j, whatever the other arguments are',
    async (scope) => {
      const data = { ...scope, other: 1 };
      await expect(pass({ tool: describeScopeTool, data })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    },
  );

  it('notes for readers of documents what is not trusted and not read', async () => {
    const call = await pass({ stamp: { untrusted: ['forum'] } });
    expect(call?.trace).toMatchObject({ untrusted: new Set(['forum']), unreadSince: FAILING_SINCE });
    expect((await pass({ tool: writer }))?.trace.unreadSince).not.toBe(FAILING_SINCE);
  });

  it('refuses the index of another project, for readers and others', async () => {
    const stamp = { projectId: 'other' };
    for (const tool of [describeScopeTool, writer])
      await expect(pass({ tool, stamp })).rejects.toMatchObject({ reason: 'index_incompatible' });
  });

  it('lets routes pass that are no calls', async () => {
    const route = { getType: () => 'http' } as unknown as ExecutionContext;
    const scopes = new ScopeService(new FixedIndex([]), new ScopeConfig());
    const guard = new ScopeGuard(scopes, {} as unknown as IndexRuns);
    await expect(guard.canActivate(route)).resolves.toBe(true);
  });
});
