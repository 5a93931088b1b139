import { schemaCompiler } from '../../../../src/governance/providers/json-schema-check.js';
import { offerTool, stateOfOffered } from '../../../../src/governance/providers/offer-tool.js';
import { providerConfigs, providersSchema } from '../../../../src/governance/providers/provider-file.js';

describe('stateOfOffered', () => {
  it('lists the output schema of what is sent, with and without the envelope', async () => {
    const [config] = providerConfigs(providersSchema.parse({ files: { command: 'node' } }));
    if (!config) throw new Error('no provider');
    const compile = await schemaCompiler();
    const tool = {
      provider: 'files',
      remoteName: 'read',
      name: 'files.read',
      title: 'read',
      description: '',
      inputSchema: { type: 'object' },
      outputSchema: null,
      definitionHash: 'a'.repeat(64),
    };
    const offered = offerTool(tool, config, { compile });
    const checks = [true, false].map((hasEnvelope) =>
      compile(stateOfOffered(offered, hasEnvelope).outputSchema),
    );
    const data = { provider: 'files', text: 'x', partial: false, limit_reason: 'none' };
    const wrapped = { status: 'success', data, refs: [], warnings: [], tool_call_id: 'call-1' };
    expect(checks.map((check) => check(wrapped) === null)).toEqual([true, false]);
    expect(checks.map((check) => check(data) === null)).toEqual([false, true]);
  });
});
