import { InvalidArgumentError } from '../../core/errors.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { recordedFate, sayRecorded } from '../../diagnostics/report/locate-section.js';
import { collectWhyFacts } from '../../diagnostics/why/collect-why-facts.js';
import { type WhyFacts, whyMissing } from '../../diagnostics/why/why-missing.js';
import { named, sayLoss } from '../../diagnostics/why/why-words.js';
import { readSectionIds } from '../../sqlite/index/read-inventory.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { defined, type WhyFlags } from '../flags.js';
import { print } from '../print.js';
import {
  type DiagnosedCall,
  diagnosedCall,
  givenFilters,
  remarksOn,
  type Replaying,
  runAgain,
  type ToolRun,
  withReplaying,
} from '../running/run-again.js';
import type { OpenSession } from '../running/session.js';
import { findRecord, openArchive } from './diagnostics.command.js';

function questionOf({ query = '' }: WhyFlags): string {
  if (query.trim() !== '') return query;
  throw new InvalidArgumentError('No question was given.', {
    reason: 'query_text_missing',
    hint: 'Give the question with --query, or a recorded call with --id.',
  });
}

/** A call that was not recorded: arguments from the command line, defaults for the rest. */
function newRun(flags: WhyFlags): DiagnosedCall {
  const { keyword, part, topK, maxPerDoc } = flags;
  const { tool = topK === undefined ? 'kb.retrieve_evidence' : 'kb.search' } = flags;
  const request = defined({
    [tool === 'kb.search' ? 'query' : 'question']: questionOf(flags),
    keywords: keyword,
    parts: part,
    top_k: topK,
    page_size: topK,
    filters: givenFilters(flags),
    options: maxPerDoc === undefined ? undefined : { max_per_doc: maxPerDoc },
  });
  return { run: { tool, request, offset: 0 }, isSameQuery: null, missing: [] };
}

/** The call of a record; options on the command line override its arguments. */
function recordedRun(record: DiagnosticRecord, flags: WhyFlags): DiagnosedCall {
  const { topK, maxPerDoc } = flags;
  const call = diagnosedCall(record, flags);
  const { request } = call.run;
  const recorded = typeof request['options'] === 'object' ? request['options'] : {};
  const options = maxPerDoc === undefined ? undefined : { ...recorded, max_per_doc: maxPerDoc };
  const more = defined({ top_k: topK, page_size: topK, options });
  return { ...call, run: { ...call.run, request: { ...request, ...more } } };
}

/** Query words that the section contains and those it does not, to help choose better ones. */
function wordsLine({ stored, terms: { asked, held } }: WhyFacts): string[] {
  if (!stored || asked.length === 0) return [];
  const lacking = asked.filter((term) => !held.includes(term));
  const parts = [
    held.length > 0 ? `found in the section: ${named(held)}` : '',
    lacking.length > 0 ? `not found: ${named(lacking)}` : '',
  ];
  return [`Query words: ${asked.length}; ${parts.filter(Boolean).join('; ')}.`];
}

interface Found {
  readonly facts: WhyFacts;
  readonly call: DiagnosedCall;
  readonly record: DiagnosticRecord | null;
}

function answerOf({ facts, call, record }: Found) {
  const { tool } = call.run;
  const losses = whyMissing(facts).map((loss) => ({ ...loss, ...sayLoss(loss, facts, tool) }));
  return {
    section_id: facts.sectionId,
    tool,
    generation: facts.retrieval.rankings[0]?.generation ?? null,
    causes: losses,
    terms: facts.terms,
    is_same_query: call.isSameQuery,
    missing: call.missing,
    record: record && recordedFate(record, facts.sectionId),
  };
}

function linesOf({ facts, call }: Found, answer: ReturnType<typeof answerOf>): string[] {
  const { causes, section_id, tool, record } = answer;
  const isReturned = causes[0]?.cause === 'returned';
  return [
    `${section_id} is ${isReturned ? '' : 'not '}returned by ${tool}.`,
    ...remarksOn(call),
    '',
    ...causes.flatMap(({ said, next }, i) => [`${i + 1}. ${said}`, `   ${next}`]),
    '',
    ...wordsLine(facts),
    ...(record ? [`Diagnostic: ${sayRecorded(record)}`] : []),
  ];
}

/** `pith diagnostics why` */
export async function why(sectionId: string, flags: WhyFlags, open: OpenSession): Promise<void> {
  const reading = openArchive(flags);
  const { config } = reading;
  const record = flags.id === undefined ? null : await findRecord(reading, flags.id);
  const call = record ? recordedRun(record, flags) : newRun(flags);
  const { facts } = await withReplaying(open, { config, record }, (replaying) =>
    lookForSection(sectionId, call.run, replaying),
  );
  const found = { facts, call, record };
  const answer = answerOf(found);
  const lines = linesOf(found, answer).map(plainLine);
  print(flags.json ? plainJson(answer) : lines.join('\n').trimEnd());
}

/** Runs a tool and collects facts about an expected section, also outside the scope. @throws like `collectWhyFacts` */
export async function lookForSection(sectionId: string, run: ToolRun, replaying: Replaying) {
  const { session, config } = replaying;
  const scope = await session.scope();
  return collectWhyFacts(sectionId, {
    index: session.index,
    scope,
    visible: { ...scope, docTags: null, repositories: null, groups: null },
    retrieve: async () => {
      const ran = await runAgain(run, replaying);
      if (ran.error) throw ran.error;
      return ran;
    },
    ids: () => readSectionIds(config.index.file, session.embedder),
  });
}
