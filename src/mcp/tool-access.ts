import type { Call, Caller } from '../core/call.js';

/** The part of a caller that decides which tools it is offered. */
export type Actor = Pick<Caller, 'agent' | 'principal' | 'permissions' | 'tools'>;

/** Decides which tools a caller is offered. */
export abstract class ToolAccess {
  /** Canonical names of tools by alias. Aliases are answered but not listed. */
  abstract readonly aliases: ReadonlyMap<string, string>;
  /** @param tool  its canonical name */
  abstract offers(actor: Actor, tool: string): boolean;
  /** True if a call of the tool would be allowed now without an approval, on these documents. @param tool  its canonical name */
  abstract allows(caller: Caller, tool: string, situation: Pick<Call, 'scope' | 'now'>): boolean;
}

/** Offers every tool to everybody. */
export const OPEN_ACCESS: ToolAccess = { aliases: new Map(), offers: () => true, allows: () => true };
