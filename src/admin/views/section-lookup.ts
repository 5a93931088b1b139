import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { FATE_WORDS } from '../../diagnostics/report/fate-words.js';
import { locateSection, type SectionPlace, whyCommand } from '../../diagnostics/report/locate-section.js';
import { sectionLink, sectionName } from './candidates.js';
import { type Html, html, type Part } from './html.js';

const replacement = (id: string | null): Part =>
  id !== null && [' Listed in its place: ', sectionLink(id), '.'];

function fateText(place: SectionPlace, command: string): Part {
  switch (place.where) {
    case 'returned':
      return `was returned at position ${place.place}; its rank was ${place.rank}.`;
    case 'left_out':
      return [
        `was ranked ${place.rank} and not returned: ${FATE_WORDS[place.fate].clause}.`,
        replacement(place.instead),
      ];
    case 'dropped':
      return [
        `matched and was ranked ${place.rank} before duplicates were removed: ${FATE_WORDS[place.fate].clause}.`,
        replacement(place.instead),
      ];
    case 'unknown':
      return html`is not in this record: it did not match, or it was dropped before the list was made. To find
        the cause, run: <code class="command">${command}</code>`;
  }
}

/** A form that looks up a section, and its result. */
export function sectionLookup(record: DiagnosticRecord, sectionId: string): Html {
  const answer =
    sectionId !== '' &&
    html`<p class="answer" role="status">
      ${sectionName(sectionId)} ${fateText(locateSection(record, sectionId), whyCommand(record, sectionId))}
    </p>`;
  return html`<section class="card" id="lookup" aria-labelledby="lookup-head">
    <h2 id="lookup-head">Where is my section?</h2>
    <form method="get" action="/admin/retrievals/${record.diagnostic_id}#lookup" class="lookup">
      <label for="section">Id of the section you expected</label>
      <div class="together">
        <input
          id="section"
          name="section"
          type="text"
          value="${sectionId}"
          maxlength="1024"
          autocomplete="off"
          spellcheck="false"
          autocapitalize="none"
        /><button>Look up</button>
      </div>
    </form>
    ${answer}
  </section>`;
}
