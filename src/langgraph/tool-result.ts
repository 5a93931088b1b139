import { type ContentBlock, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';

/** The result of `tools/call`, in the fields that are read. */
export interface CallToolResult {
  readonly content?: readonly {
    readonly type: string;
    readonly text?: string;
    /** Base64. */
    readonly data?: string;
    readonly mimeType?: string;
  }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** An object that a tool call returned, such as a section, a passage or an artifact. */
export interface ToolRef {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The artifact of a tool message: everything that the model does not need to read. */
export interface ToolArtifact {
  /** Empty unless the server runs with MCP_RESPONSE_ENVELOPE=on. */
  readonly refs: readonly ToolRef[];
  readonly warnings: readonly unknown[];
  /** The server's id of the call, as in its run ledger; null if it sent none. */
  readonly toolCallId: string | null;
  readonly structuredContent: Readonly<Record<string, unknown>> | null;
}

/** A call that a person has to approve first. */
export interface RequiredApproval {
  readonly approvalId: string | null;
  /** ISO-8601; null if the server sent none. */
  readonly expiresAt: string | null;
  /** The policy rule that requires the approval. */
  readonly rule: string | null;
  /** `operator`: decided on the server. `caller`: decided by the value that resumes the graph. */
  readonly approver: string;
  readonly message: string;
}

/** An image or a sound, with its content in base64. */
type MediaBlock = {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : []);

/** Where the server puts the envelope of tools whose results other specifications define. */
const ENVELOPE_META = 'pith/envelope';

/** The response envelope; its fields are missing if the server sends none. */
function envelopeOf({ structuredContent, _meta }: CallToolResult): Fields {
  const inResult = fieldsOf(structuredContent);
  return 'tool_call_id' in inResult ? inResult : fieldsOf(_meta?.[ENVELOPE_META]);
}

/** The error of a failed call, with and without the response envelope. */
function errorOf({ structuredContent, isError }: CallToolResult): Fields | null {
  if (isError !== true) return null;
  const plain = fieldsOf(structuredContent);
  return fieldsOf(plain['error'] ?? fieldsOf(plain['data'])['error']);
}

const textOf = ({ content = [] }: CallToolResult): string =>
  content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n');

/** Images and audio as content blocks of LangChain, in the order of the result. */
const mediaOf = ({ content = [] }: CallToolResult): MediaBlock[] =>
  content.flatMap(({ type, data, mimeType }) =>
    (type === 'image' || type === 'audio') && data !== undefined && mimeType !== undefined
      ? [{ type, data, mimeType }]
      : [],
  );

/** The text; with images or audio a list, which begins with the text. */
function contentOf(result: CallToolResult): string | (MediaBlock | ContentBlock.Text)[] {
  const media = mediaOf(result);
  return media.length === 0 ? textOf(result) : [{ type: 'text', text: textOf(result) }, ...media];
}

/** The approval that a call waits for; null for every other result. */
export function requiredApproval(result: CallToolResult): RequiredApproval | null {
  const details = fieldsOf(errorOf(result)?.['details']);
  if (details['reason'] !== 'approval_required') return null;
  return {
    approvalId: textOrNull(details['approval_id']),
    expiresAt: textOrNull(details['expires_at']),
    rule: textOrNull(details['rule']),
    approver: textOrNull(details['approver']) ?? 'operator',
    message: textOf(result),
  };
}

/** The message that answers a tool call of the model. */
export function toolMessage({ id, name }: ToolCall, result: CallToolResult): ToolMessage {
  const envelope = envelopeOf(result);
  const toolCallId = envelope['tool_call_id'] ?? result._meta?.['pith/tool_call_id'];
  const artifact: ToolArtifact = {
    refs: listOf<ToolRef>(envelope['refs']),
    warnings: listOf(envelope['warnings']),
    toolCallId: textOrNull(toolCallId),
    structuredContent: result.structuredContent ?? null,
  };
  return new ToolMessage({
    content: contentOf(result),
    name,
    tool_call_id: id ?? '',
    status: result.isError === true ? 'error' : 'success',
    artifact,
  });
}
