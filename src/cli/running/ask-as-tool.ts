import { z } from 'zod';
import { TOOLS } from '../../app.module.js';
import type { Config } from '../../config/config.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import type { Ask, Asked, EvalServices } from '../../eval/eval-services.js';
import type { RetrievedEvidence } from '../../kb/evidence/evidence-reply.js';
import type { SearchMode } from '../../core/ranking.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import type { RetrieveInput } from '../../kb/tools/retrieve-evidence.tool.js';
import { definitionsOf } from '../../mcp/define-tool.js';
import { loadHosts } from '../../mcp/surface/load-hosts.js';
import { ceilingsFor } from '../../mcp/pipeline/output.interceptor.js';
import { renderError, renderResult } from '../../mcp/rendering/render.js';
import type { ToolResult } from '../../mcp/rendering/render.js';
import { renderWithin, withUsage } from '../../mcp/rendering/render-within.js';
import { resolveSurface } from '../../mcp/surface/surface.js';
import type { Surface } from '../../mcp/surface/surface.js';
import { PACKAGE_ROOT } from '../../core/package-facts.js';
import type { LocalServices } from './local-services.js';

const tool = retrieveEvidenceTool;

/** How many quotes a caller gets who says nothing of it. */
export const DEFAULT_QUOTES = tool.input.parse({ question: '?' }).max_quotes;

/** Results hold the call's id; the same question must take the same tokens every time. */
const SAME_ID = '00000000-0000-4000-8000-000000000000';

type Question = Parameters<Ask>[0];
type Measuring = LocalServices & Pick<EvalServices, 'mode'>;

/** The service's input for what an agent sends, with the tool's own defaults. @throws InvalidArgumentError */
function toInput(
  { id, question, keywords, parts }: Question,
  mode: SearchMode,
  includeDebug: boolean,
): RetrieveInput {
  const parsed = tool.input.safeParse({
    question,
    keywords,
    parts,
    options: { include_debug: includeDebug, mode },
  });
  if (!parsed.success) {
    throw new InvalidArgumentError(
      `${id} is not a valid question for ${tool.name}: ${z.prettifyError(parsed.error)}`,
      {
        reason: 'eval_input_malformed',
        hint: 'Correct the question, its keywords or its parts.',
      },
    );
  }
  return parsed.data;
}

interface Answer {
  readonly output: RetrievedEvidence | null;
  readonly result: ToolResult;
}

/** The call as the pipeline makes it: the service, then rendering within the tool's budget; failures are results. */
async function callTool(
  { services, surface, maxBytes }: { services: LocalServices; surface: Surface; maxBytes: number },
  input: RetrieveInput,
): Promise<Answer> {
  const call = { ...(await services.newCall()), id: SAME_ID };
  try {
    const reply = await services.evidence.retrieve(call, input);
    const ceilings = ceilingsFor(tool, maxBytes);
    const rendered = renderWithin(reply, ceilings, (output) => renderResult(call, tool, output, surface));
    return { output: rendered.output, result: withUsage(rendered) };
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    return { output: null, result: renderError(call, error, surface) };
  }
}

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** The estimate behind `answerable`; asked for apart, since debugging makes a result larger. */
async function rawConfidence(services: Measuring, question: Question): Promise<number | null> {
  const reply = await services.evidence.retrieve(
    await services.newCall(),
    toInput(question, services.mode, true),
  );
  const confidence = reply.output.debug?.['confidence'];
  return typeof confidence === 'number' ? confidence : null;
}

/** Asks `kb.retrieve_evidence` without a server: its schema, the service, its rendering. */
export function askAsTool(services: Measuring, config: Config, clock: () => number): Ask {
  const hosts = loadHosts(PACKAGE_ROOT, config.surface.hostsFile);
  const surface = resolveSurface(definitionsOf(TOOLS), config, hosts);
  const door = { services, surface, maxBytes: config.limits.maxResponseBytes };
  return async (question): Promise<Asked> => {
    const start = clock();
    const { output, result } = await callTool(door, toInput(question, services.mode, false));
    const ms = clock() - start;
    return {
      output,
      content: textOf(result),
      structured: JSON.stringify(result.structuredContent ?? {}),
      bytes: Buffer.byteLength(JSON.stringify(result)),
      calls: 1,
      ms,
      confidence: output ? await rawConfidence(services, question) : null,
    };
  };
}
