import type { Config, Environment } from '../../config/config.js';
import type { RetrievedEvidence } from '../../kb/evidence/evidence-reply.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { loadConfig } from '../load-config.js';
import { localServices } from '../running/local-services.js';
import type { AskFlags } from '../program.js';

const MAX_QUESTION = 4_000;

/** Asks the configured index one question. @throws PithError */
export async function askIndex(
  config: Config,
  text: string,
  keywords: readonly string[],
): Promise<RetrievedEvidence> {
  const services = localServices(config);
  try {
    const reply = await services.evidence.retrieve(await services.newCall(), {
      question: text,
      keywords: [...keywords],
      parts: [],
      max_quotes: 6,
      max_quote_tokens: 80,
      include_context_tokens: 20,
      options: { mode: 'auto', rewrite: true, include_debug: false },
      diagnostic_debug: false,
    });
    return reply.output;
  } finally {
    await services.close();
  }
}

/** Evidence as people read it: quotes grouped under where they stand. */
export function evidenceLines({ answerable, quotes, sources, hint }: RetrievedEvidence): string[] {
  const lines = sources.flatMap(({ section_id, title, url }) => [
    title,
    `  ${url ?? section_id}`,
    ...quotes
      .filter((quote) => quote.section_id === section_id)
      .map(({ quote }) => `    “${quote.replace(/\s*\n\s*/g, '\n     ')}”`),
    '',
  ]);
  const verdict = quotes.length === 0 ? 'Nothing found.' : `Answer in these documents: ${answerable}.`;
  return [...lines, hint ? `${verdict} ${hint}` : verdict];
}

/** `pith ask` */
export async function ask(question: string, flags: AskFlags, overrides: Environment): Promise<void> {
  const config = loadConfig(overrides);
  if (question.trim() === '' || question.length > MAX_QUESTION) {
    throw new InvalidArgumentError(
      `The question has ${question.length} characters; it must have 1 to ${MAX_QUESTION}.`,
      {
        reason: 'invalid_input',
        hint: 'Ask in one or two sentences.',
      },
    );
  }
  const evidence = await askIndex(config, question, flags.keyword ?? []);
  const text = flags.json ? JSON.stringify(evidence, null, 2) : evidenceLines(evidence).join('\n');
  process.stdout.write(`${text}\n`);
}
