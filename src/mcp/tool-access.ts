import type { Call, Caller } from '../core/call.js';

/** The part of a caller that decides which tools it is offered. */
export type Actor = Pick<Caller, 'agent' | 'principal' | 'permissions' | 'tools'>;

/** Decides which tools a caller is offered. */
export abstract class ToolAccess {
  /** Canonical names of tools by alias. Aliases are answered but not listed. */
  abstract readonly aliases: ReadonlyMap<string, string>;
  /** @param tool  its canonical name */
  abstract offers(actor: Actor, tool: string): boolean;
  /** Notes in the trace of a call why the caller is not offered a tool, for the run ledger. @param tool  its canonical name */
  abstract noteRefusal(call: Call, tool: string): void;
  /** True if a call of the tool would be allowed now without an approval, on these documents. @param tool  its canonical name */
  abstract allows(caller: Caller, tool: string, situation: Pick<Call, 'scope' | 'now'>): boolean;
}

/** Offers every tool to everybody. */
export const OPEN_ACCESS: ToolAccess = {
  aliases: new Map(),
  offers: () => true,
  noteRefusal: () => undefined,
  allows: () => true,
};
