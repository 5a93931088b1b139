import { randomBytes } from 'node:crypto';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

/** A response to a request of ours, or a cancellation, for the exchange that it belongs to. */
export type Receiver = (message: JSONRPCMessage) => void;

/** Questions to one principal that may wait: each holds a call and a connection. */
const MAX_QUESTIONS = 100;

interface Question {
  readonly principal: string;
  /** The id under which the server waits for the answer. */
  readonly id: RequestId;
  readonly receive: Receiver;
}

/** The session that sends a message. */
export interface Sender {
  readonly principal: string;
  /** Null without a session. */
  readonly session: string | null;
}

const keyOf = ({ principal, session }: Sender, id: RequestId): string =>
  JSON.stringify([principal, session, id]);

/**
 * The requests that run now. Clients of 2025 send answers to questions and cancellations in requests of their own, and
 * no connection says what they belong to.
 */
export class Exchanges {
  private readonly running = new Map<string, Receiver>();
  private readonly questions = new Map<string, Question>();

  /** Notes a request that can be cancelled. Without a session, ids of different clients can't be told apart. @returns invoke when it is answered */
  begin(sender: Sender, id: RequestId, receive: Receiver): () => void {
    const key = keyOf(sender, id);
    if (sender.session === null || this.running.has(key)) return () => undefined;
    this.running.set(key, receive);
    return () => void this.running.delete(key);
  }

  /** Cancels a running request of the same session; unknown ones are ignored, as the protocol demands. */
  cancel(sender: Sender, id: RequestId, notification: JSONRPCMessage): void {
    this.running.get(keyOf(sender, id))?.(notification);
  }

  /** Gives a question of the server an id that nobody can guess. @throws Error if too many of this principal wait */
  ask(question: Question): string {
    const waiting = [...this.questions.values()].filter(({ principal }) => principal === question.principal);
    if (waiting.length >= MAX_QUESTIONS)
      throw new Error('too many questions wait for the answer of this caller');
    const id = randomBytes(18).toString('base64url');
    this.questions.set(id, question);
    return id;
  }

  /** Forgets a question that nobody has to answer any more. @returns the id that its client knows; null if there is none */
  withdraw(receive: Receiver, ownId: unknown): string | null {
    for (const [id, question] of this.questions) {
      if (question.receive !== receive || question.id !== ownId) continue;
      this.questions.delete(id);
      return id;
    }
    return null;
  }

  /** Forgets the questions of an exchange. */
  forget(receive: Receiver): void {
    for (const [id, question] of this.questions) if (question.receive === receive) this.questions.delete(id);
  }

  /** Passes on the answer to a question. @returns false if the principal was not asked it, or has answered */
  answer(principal: string, id: RequestId | undefined, answer: JSONRPCMessage): boolean {
    const question = this.questions.get(String(id));
    if (question?.principal !== principal) return false;
    this.questions.delete(String(id));
    question.receive({ ...answer, id: question.id } as JSONRPCMessage);
    return true;
  }
}
