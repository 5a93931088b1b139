import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { listReply } from '../../../src/core/reply.js';
import { beginCall } from '../../../src/mcp/calls.js';
import { defineTool, definitionsOf } from '../../../src/mcp/define-tool.js';
import { toolController } from '../../../src/mcp/tool-controller.js';
import { TOOLS } from '../../support/all-tools.js';
import { aCall } from '../../support/builders.js';

const definition = defineTool({
  name: 'ships.count_all',
  title: 'Ships',
  description: 'Counts ships.',
  input: z.object({ harbour: z.string() }),
  output: z.object({ text: z.string() }),
  feature: 'always',
  isCore: false,
  permission: 'read',
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: { full: ({ text }) => text, summary: ({ text }) => text },
});

@Injectable()
class Ships {
  readonly count = 3;
}

const Counting = toolController(Ships, definition, async ({ count }, call, { harbour }) =>
  listReply({ count: 1, maxChars: 0 }, () => ({ text: `${count} in ${harbour} for ${call.id}` })),
);
const mcpContext = (): object => {
  const sdkContext = {};
  beginCall(sdkContext, aCall());
  return { getArgByIndex: () => sdkContext };
};

describe('toolController', () => {
  it('answers a call with the injected service', async () => {
    const nest = await Test.createTestingModule({ providers: [Ships], controllers: [Counting] }).compile();
    expect(definitionsOf([Counting])).toEqual([definition]);
    expect(await nest.get(Counting).answer({ harbour: 'Kiel' }, mcpContext())).toMatchObject({
      output: { text: '3 in Kiel for call-1' },
    });
  });

  it('names the class and its method after the tool', () => {
    expect(Counting.name).toBe('ShipsCountAllController');
    expect(Counting.prototype.answer.name).toBe('ships.count_all');
    const names = TOOLS.map(({ name }) => name);
    expect(new Set(names).size).toBe(TOOLS.length);
  });
});
