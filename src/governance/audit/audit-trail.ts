import { appendFileSync, chmodSync, closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';

/** Something that was refused, or that an operator did. No field has a secret, an argument or a text of a document. */
export interface AuditEvent {
  readonly event: 'request_refused' | 'call_refused' | 'operator_request' | 'configuration_read';
  readonly [field: string]: string | number | null;
}

/** Lines about refusals per second; further ones are counted. Nobody can fill the disk by being refused. */
const REFUSALS_PER_SECOND = 20;
/** Size at which the file gets the ending `.1`, in the place of the one before. */
const MAX_BYTES = 10_485_760;

interface AuditOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for the first failure after a success. */
  readonly onFailure: (error: unknown) => void;
}

/** The start of each line. */
const START = '{"at":';

/** Why a file is not opened; null if it may be a file of ours. */
function foreignness(file: string): string | null {
  const handle = openSync(file, 'a+', 0o600);
  try {
    const start = Buffer.alloc(START.length);
    const size = readSync(handle, start, 0, START.length, 0);
    return start.toString('latin1', 0, size) === START.slice(0, size)
      ? null
      : 'it has other text than an audit';
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes the file if it does not exist, and closes it to others: a server would notice at its first refusal that it can't write.
 * @param file  '' for none
 * @throws InvalidConfigurationError
 */
export function prepareAudit(file: string): void {
  if (file === '' || statSync(file, { throwIfNoEntry: false })?.isCharacterDevice()) return;
  let why: string | null;
  try {
    why = foreignness(file);
    if (why === null) chmodSync(file, 0o600);
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  if (why === null) return;
  throw new InvalidConfigurationError([
    `PITH_AUDIT_FILE: ${file} can't be used: ${why}. Name another file in a folder that this user may write to.`,
  ]);
}

/** Writes events to a file, one JSON object per line. A full disk costs lines, never a request. */
export class AuditTrail {
  private second = 0;
  private refusals = 0;
  private omitted = 0;
  private hasFailed = false;

  /** @param file  '' to write nothing */
  constructor(
    private readonly file: string,
    private readonly options: AuditOptions,
  ) {}

  note(event: AuditEvent): void {
    if (this.file === '') return;
    const now = this.options.now();
    if (event.event.endsWith('_refused') && this.isTooMuch(Math.floor(now / 1_000)))
      return void this.omitted++;
    const omitted = this.omitted === 0 ? {} : { omitted: this.omitted };
    this.omitted = 0;
    this.write(`${JSON.stringify({ at: new Date(now).toISOString(), ...event, ...omitted })}\n`);
  }

  private isTooMuch(second: number): boolean {
    if (second !== this.second) this.refusals = 0;
    this.second = second;
    return ++this.refusals > REFUSALS_PER_SECOND;
  }

  private write(line: string): void {
    try {
      const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
      if (size + line.length > MAX_BYTES) renameSync(this.file, `${this.file}.1`);
      appendFileSync(this.file, line, { mode: 0o600 });
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.options.onFailure(error);
      this.hasFailed = true;
    }
  }
}
