import type { Caller } from '../core/call.js';

/** The part of a caller that decides which tools it is offered. */
export type Actor = Pick<Caller, 'agent' | 'principal'>;

/** Decides which tools a caller is offered. */
export abstract class ToolAccess {
  /** @param tool  its canonical name */
  abstract offers(actor: Actor, tool: string): boolean;
}

/** Offers every tool to everybody. */
export const OPEN_ACCESS: ToolAccess = { offers: () => true };
