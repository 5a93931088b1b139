import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

interface Batch {
  readonly ids: readonly RequestId[];
  readonly replies: Map<RequestId, JSONRPCMessage>;
}

/** Collects the replies of each batch, which are sent together. */
export class BatchReplies {
  private readonly open = new Map<RequestId, Batch>();

  begin(ids: readonly RequestId[]): void {
    const batch = { ids: [...new Set(ids)], replies: new Map() };
    for (const id of ids) this.open.set(id, batch);
  }

  /** Returns what to send now: the message itself, the batch that it completes, or null while replies are missing. */
  collect(message: JSONRPCMessage): JSONRPCMessage | readonly JSONRPCMessage[] | null {
    const id = 'method' in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.open.get(id);
    if (id === undefined || !batch) return message;
    this.open.delete(id);
    batch.replies.set(id, message);
    return batch.replies.size < batch.ids.length
      ? null
      : batch.ids.flatMap((each) => batch.replies.get(each) ?? []);
  }
}
