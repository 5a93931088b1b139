import {
  type JSONRPCMessage,
  type McpServer,
  type MessageExtraInfo,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';

/** Passed with an `initialize` whose answer no client receives. */
export const REPLAYED: MessageExtraInfo = Object.freeze({});

/**
 * Adds instructions to the answers to `initialize`, when the name of the client is known. The SDK answers the request itself
 * and has no hook for it, so its answer is changed before the transport sends it.
 */
export function instructClients({ server }: McpServer, instructions: () => Promise<string>): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    addInstructions(transport, instructions);
    return connect(transport);
  };
}

function addInstructions(transport: Transport, instructions: () => Promise<string>): void {
  const asked = new Set<RequestId>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  // The SDK calls this listener before it reads a message.
  transport.onmessage = (message, extra) => {
    if ('id' in message && 'method' in message && message.method === 'initialize' && extra !== REPLAYED)
      asked.add(message.id);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    const isAnswer = !('method' in message) && message.id !== undefined && asked.delete(message.id);
    return send(isAnswer && 'result' in message ? await instructed(message, instructions) : message, options);
  };
}

async function instructed(
  answer: Extract<JSONRPCMessage, { result: unknown }>,
  instructions: () => Promise<string>,
): Promise<JSONRPCMessage> {
  try {
    return { ...answer, result: { ...answer.result, instructions: await instructions() } };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Internal error';
    return { jsonrpc: '2.0', id: answer.id, error: { code: ProtocolErrorCode.InternalError, message } };
  }
}
