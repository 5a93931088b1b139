import type { Common } from '../../cli/flags.js';
import type { ApprovalState } from '../approvals/approval.js';
import type { LedgerFormat } from '../ledger/export-lines.js';
import type { LedgerMark } from '../ledger/ledger-line.js';

/** Options of `pith policy explain`. */
export interface ExplainFlags extends Common {
  readonly tool: string;
  readonly principal: string;
  readonly file?: string;
  readonly agent?: string;
  readonly args?: string;
  readonly at?: string;
  readonly json?: boolean;
}

/** Options of `pith providers`. */
export interface ProviderFlags extends Common {
  readonly json?: boolean;
}

/** Options of `pith providers accept`. */
export interface AcceptFlags extends ProviderFlags {
  readonly tool?: string;
  readonly hash: string;
}

/** Options of `pith governance check`. */
export interface CheckFlags extends Common {
  /** A governance file. */
  readonly against?: string;
}

/** Options of `pith access check`. */
export interface AccessFlags extends Common {
  readonly principal?: string;
  readonly keyStdin?: boolean;
  readonly tokenStdin?: boolean;
}

export interface ToolsFlags extends Common {
  readonly agent?: string;
  readonly json?: boolean;
}

/** Options of `pith tools history`. */
export type HistoryFlags = Pick<ToolsFlags, 'index' | 'json'>;

/** Options of every ledger command. */
export interface LedgerFlags extends Common {
  readonly file?: string;
  readonly json?: boolean;
}

export interface VerifyFlags extends LedgerFlags {
  readonly mark?: LedgerMark;
}

export interface ExportFlags extends LedgerFlags {
  readonly format: LedgerFormat;
}

/** Options of every approvals command. */
export interface ApprovalFlags extends Common {
  readonly file?: string;
  readonly json?: boolean;
}

export interface ApprovalListFlags extends ApprovalFlags {
  readonly state: ApprovalState | 'all';
  readonly limit: number;
}

export interface DecideFlags extends ApprovalFlags {
  readonly note?: string;
  readonly as?: string;
}
