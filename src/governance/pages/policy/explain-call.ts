import { z } from 'zod';
import { InvalidArgumentError, PithError } from '../../../core/errors.js';
import { type AnyTool, readsDocuments, takesScope } from '../../../mcp/define-tool.js';
import { makeCaller } from '../../../mcp/pipeline/caller-identity.js';
import { fitArguments, parseArguments } from '../../../mcp/pipeline/input.stage.js';
import { type Principal } from '../../../mcp/principals.js';
import { canonicalName, type Surface } from '../../../mcp/surface/surface.js';
import { scopeSchema } from '../../../scope/scope.schema.js';
import type { ScopeService } from '../../../scope/scope.service.js';
import { principalNamed } from '../../access/explained-caller.js';
import type { Explained, GovernanceService } from '../../governance.service.js';

/** The parts of the server that decide about a call. */
export interface DecidingParts {
  readonly governance: Pick<GovernanceService, 'explain'>;
  readonly surface: Surface;
  readonly scopes: Pick<ScopeService, 'resolve' | 'beforeDocuments'>;
}

/** A call that is not made. */
export interface SupposedCall {
  readonly tool: string;
  /** Empty: the agent of the principal. */
  readonly agent: string;
  readonly principal: string;
  /** JSON of the arguments. */
  readonly args: string;
}

/** The facts of the server that a call is explained with. */
interface Surroundings {
  readonly now: () => number;
  /** The principals whose calls are explained. */
  readonly principals: readonly Principal[];
  /** The agent of principals that name none. */
  readonly serverAgent: string;
}

/** The decision about a call; an error if the server refuses the call before the policy decides. */
export type ExplainedCall =
  | { readonly tool: string; readonly decision: Explained; readonly refused: null }
  | { readonly tool: string; readonly decision: null; readonly refused: PithError };

const scopedSchema = z.looseObject({ scope: scopeSchema.optional() });
const inputSchema = z.record(z.string(), z.unknown());

function argumentsOf(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json);
  } catch (cause) {
    throw new InvalidArgumentError('The arguments are not JSON.', {
      reason: 'invalid_input',
      hint: 'Write them as a JSON object, such as {"query": "moorings"}.',
      cause,
    });
  }
}

function definitionOf(name: string, { surface }: DecidingParts): AnyTool {
  const definition = surface.tools.get(name)?.definition;
  if (definition) return definition;
  throw new InvalidArgumentError(`There is no tool ${name}.`, {
    reason: 'unknown_tool',
    hint: 'Choose one of the list.',
  });
}

/** Decides about a call as the pipeline does, in its order: scope, arguments, policy. Nothing is called. */
export async function explainCall(
  call: SupposedCall,
  parts: DecidingParts,
  { now, principals, serverAgent }: Surroundings,
): Promise<ExplainedCall> {
  const tool = canonicalName(parts.surface, call.tool);
  try {
    const definition = definitionOf(tool, parts);
    const args = fitArguments(definition, argumentsOf(call.args));
    const asked = takesScope(definition) ? scopedSchema.safeParse(args).data?.scope : undefined;
    const { scopes } = parts;
    const principal = principalNamed(call.principal, principals);
    const caller = makeCaller(call.agent === '' ? principal : { ...principal, agent: call.agent }, {
      agent: serverAgent,
    });
    const scope = await (readsDocuments(definition)
      ? scopes.resolve(asked, now(), caller.scopeLimit)
      : scopes.beforeDocuments(now(), caller.scopeLimit));
    const input = inputSchema.parse(parseArguments(definition, args));
    const decision = parts.governance.explain({ caller, scope, input, now }, tool);
    return { tool, decision, refused: null };
  } catch (error) {
    if (error instanceof PithError) return { tool, decision: null, refused: error };
    throw error;
  }
}
