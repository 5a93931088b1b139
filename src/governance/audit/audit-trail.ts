import { appendFileSync, chmodSync, closeSync, openSync, renameSync, statSync } from 'node:fs';
import { readStart } from '../../config/given-path.js';
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

/**
 * Makes the file if it does not exist, and closes it to others: a server would notice at its first refusal that it can't write.
 * @param file  '' for none
 * @throws InvalidConfigurationError
 */
export function prepareAudit(file: string): void {
  const stats = file === '' ? undefined : statSync(file, { throwIfNoEntry: false });
  // Opening a pipe waits for its reader, and `/dev/stdout` may be one.
  if (file === '' || (stats && !stats.isFile() && !stats.isDirectory())) return;
  let why: string | null = null;
  try {
    closeSync(openSync(file, 'a', 0o600));
    if (START.startsWith(Buffer.from(readStart(file, START.length)).toString('latin1')))
      chmodSync(file, 0o600);
    else why = 'it has other text than an audit';
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
