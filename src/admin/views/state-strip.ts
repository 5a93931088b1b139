import type { DiagnosticsConfig } from '../../config/settings/diagnostics.config.js';
import type { DiagnosticCounters } from '../../diagnostics/archive/diagnostic-writer.js';
import { formatCount, formatDuration } from '../../diagnostics/report/format.js';
import type { Readiness } from '../facts/readiness.service.js';
import { type Html, html } from './html.js';

export interface ServerState {
  readonly readiness: Readiness;
  readonly uptimeMs: number;
  readonly counters: DiagnosticCounters;
  /** Null if no diagnostics are recorded. */
  readonly diagnostics: Pick<DiagnosticsConfig, 'sampleRate' | 'force' | 'retentionDays'> | null;
}

function kept(diagnostics: ServerState['diagnostics']): string {
  if (!diagnostics) return 'No diagnostics are recorded because MCP_NO_LOG is on.';
  const { force, sampleRate, retentionDays } = diagnostics;
  const share = `${Number((sampleRate * 100).toPrecision(3))}% of all retrievals, and every failed one,`;
  const days = retentionDays === 0 ? 'without expiry' : `for ${retentionDays} days`;
  return `${force || sampleRate === 1 ? 'All retrievals' : share} are kept ${days}.`;
}

/** The readiness of the server and its counters of diagnostics. */
export function stateStrip({ readiness, uptimeMs, counters, diagnostics }: ServerState): Html {
  const { ready, reasons } = readiness;
  const obstacles = reasons.map(
    ({ reason, message, hint }) =>
      html`<li><strong>${reason}</strong> ${message} <span class="hint">${hint}</span></li>`,
  );
  const { written, queued, dropped, failed } = counters;
  return html`<section class="verdict ${ready ? 'good' : 'bad'} state" aria-labelledby="state">
    <h2 id="state">
      <span class="sign" aria-hidden="true">${ready ? '✓' : '×'}</span>${ready ? 'Ready' : 'Not ready'}
      <small>up ${formatDuration(uptimeMs)}</small>
    </h2>
    ${
      obstacles.length > 0 &&
      html`<ul class="why">
        ${obstacles}
      </ul>`
    }
    <p>
      ${kept(diagnostics)} Since start: ${formatCount(written)} written, ${formatCount(queued)} queued,
      ${formatCount(dropped)} dropped, ${formatCount(failed)} failed.
    </p>
  </section>`;
}
