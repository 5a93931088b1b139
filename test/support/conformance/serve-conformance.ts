import { Module } from '@nestjs/common';
import type { RunningServer } from '../../../src/cli/commands/serve.command.js';
import { parseConfig } from '../../../src/config/config.js';
import { startHttp } from '../../../src/main.http.js';
import { ASKING_TOOLS } from './asking-tools.js';
import { conformanceStrategy } from './conformance-strategy.js';
import { CONTENT_TOOLS } from './content-tools.js';
import { FixturePrompts } from './fixture-prompts.js';
import { FixtureResources } from './fixture-resources.js';
import { INPUT_REQUIRED_TOOLS } from './input-required-tools.js';

const TOOLS = [...CONTENT_TOOLS, ...ASKING_TOOLS, ...INPUT_REQUIRED_TOOLS];

@Module({ controllers: [...TOOLS, FixtureResources, FixturePrompts] })
class ConformanceModule {}

/** Starts the HTTP server of Pith with the fixtures of the conformance suite added to its own tools. */
export function serveConformance(index: string): Promise<RunningServer> {
  const config = parseConfig({ PITH_INDEX: index, PITH_HTTP_PORT: '0', PITH_LEDGER: 'off' });
  return startHttp(config, null, {
    tools: TOOLS,
    modules: [ConformanceModule],
    strategy: conformanceStrategy,
  });
}
