import { InvalidArgumentError } from '../../core/errors.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { outputOf } from '../../mcp/answered-call.js';
import { readableText } from '../../text/quotable/readable-text.js';
import { type AskFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { type OpenSession, type Session, withSession } from '../running/session.js';

const MAX_QUESTION = 4_000;
const GAP = '    […]';

/** Asks one question, as an agent does. @throws PithError */
export async function askIndex(
  { call }: Session,
  question: string,
  keywords: readonly string[] = [],
): Promise<RetrievedEvidence> {
  const { name, output } = retrieveEvidenceTool;
  return output.parse(outputOf(await call(name, { question, keywords })));
}

/** The lines of a quote below its quotation mark, without blank lines. */
function indented(quote: string): string {
  const lines = quote.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').join('\n     ');
}

/** Evidence as text for people: the quotes in readable form, grouped by source, with marks where text is left out between them. */
export function evidenceLines({ answerable, quotes, sources, hint }: RetrievedEvidence): string[] {
  const lines = sources.flatMap(({ section_id, title, url }) => [
    title,
    `  ${url ?? section_id}`,
    ...quotes
      .filter((quote) => quote.section_id === section_id)
      .flatMap(({ quote }, i) => [...(i > 0 ? [GAP] : []), `    “${indented(readableText(quote))}”`]),
    '',
  ]);
  const verdict = quotes.length === 0 ? 'Nothing found.' : `Answer in these documents: ${answerable}.`;
  return [...lines, hint ? `${verdict} ${hint}` : verdict];
}

/** `pith ask` */
export async function ask(question: string, flags: AskFlags, open: OpenSession): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  if (question.trim() === '' || question.length > MAX_QUESTION)
    throw new InvalidArgumentError(
      `The question has ${question.length} characters; it must have 1 to ${MAX_QUESTION}.`,
      { reason: 'invalid_input', hint: 'Ask in one or two sentences.' },
    );
  const evidence = await withSession(open(config), (session) => askIndex(session, question, flags.keyword));
  const text = flags.json ? JSON.stringify(evidence, null, 2) : evidenceLines(evidence).join('\n');
  print(text);
}
