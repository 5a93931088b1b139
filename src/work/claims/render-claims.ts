import { nodeId } from '../../core/node-id.js';
import { type Ref, restLines } from '../../core/reply.js';
import { decodePath } from '../../core/section-id.js';
import { plainJson, quotedLine } from '../../text/plain-line.js';
import { NO_FENCE, type TextFence } from '../../text/untrusted-text.js';
import type {
  ClaimListOutput,
  ClaimOutput,
  QuoteStanding,
  VerifyClaimOutput,
  VerifyQuotesOutput,
} from './claims.schemas.js';

const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n');

type Place = Pick<NonNullable<QuoteStanding['place']>, 'section_id' | 'start_char' | 'end_char' | 'path'>;

const placeText = ({ section_id, start_char, end_char }: Place): string =>
  `${section_id} [${start_char}–${end_char}]`;

const refsOfPlaces = (places: readonly (Place | undefined)[]): Ref[] =>
  places.flatMap((place): Ref[] =>
    place
      ? [
          { type: 'section', id: place.section_id },
          { type: 'document', id: nodeId('document', decodePath(place.path)) },
        ]
      : [],
  );

const claimRef = ({ claim_id }: Pick<ClaimOutput, 'claim_id'>): Ref => ({ type: 'claim', id: claim_id });

/** A claim, and the sections and documents that it rests on. */
export const claimRefs = (claim: ClaimOutput): Ref[] => [claimRef(claim), ...refsOfPlaces(claim.evidence)];

/** A claim, and the sections and documents in which its evidence is now. */
export const verifiedRefs = (claim: VerifyClaimOutput): Ref[] => [
  claimRef(claim),
  ...standingRefs(claim.evidence),
];

export const listedRefs = ({ claims }: ClaimListOutput): Ref[] => claims.map(claimRef);

/** The sections and documents in which texts are now. */
export const standingRefs = (standings: readonly QuoteStanding[]): Ref[] =>
  refsOfPlaces(standings.map(({ place }) => place));

type Head = Pick<ClaimOutput, 'claim_id' | 'state' | 'statement' | 'evidence_added_after_decision'>;

/** `accepted before 2 pieces of evidence were added` */
function stateText({ state, evidence_added_after_decision: later }: Head): string {
  if (later === 0) return state;
  return `${state} before ${later === 1 ? '1 piece of evidence was' : `${later} pieces of evidence were`} added`;
}

const headText = (claim: Head): string =>
  `Claim ${claim.claim_id} (${stateText(claim)}): ${quotedLine(claim.statement)}`;

const dataText = ({ schema, data }: ClaimOutput): string =>
  schema ? `Data (${schema.name}, version ${schema.version}): ${plainJson(data, 0)}` : '';

export function claimText(output: ClaimOutput, fence: TextFence = NO_FENCE): string {
  const pieces = output.evidence.map(
    (piece) =>
      `${piece.stance} ${piece.evidence_id}: ${placeText(piece)}\n${fence(piece.section_id, piece.quote)}`,
  );
  const decisions = output.decisions.map(
    ({ decision, decided_by, decided_at, reason }) =>
      `${decision} by ${decided_by.join(', ')} at ${decided_at}: ${quotedLine(reason)}`,
  );
  return lines(headText(output), dataText(output), ...decisions, ...pieces, ...restLines(output));
}

export const claimSummary = (claim: ClaimOutput): string =>
  `Claim ${claim.claim_id} is ${stateText(claim)}, with ${claim.evidence_total} pieces of evidence in all.`;

export function claimListText(output: ClaimListOutput): string {
  if (output.claims.length === 0) return lines('No claims.', ...restLines(output));
  const items = output.claims.map(
    (claim) => `${headText(claim)} (${claim.supports} support it, ${claim.contradicts} contradict it)`,
  );
  return lines(...items, ...restLines(output));
}

/** One quote: its state, its place, and what changed. Both texts of a change are fenced if its document is not trusted. */
function standingText(standing: QuoteStanding, ids: readonly string[], fence: TextFence): string {
  const { state, place, change } = standing;
  const where = place ? `${state}: ${placeText(place)}` : state;
  if (!change) return where;
  const { old_text, new_text, only_white_space } = change;
  return lines(
    only_white_space ? `${where}, only white space` : where,
    fence(ids, `- ${old_text}\n+ ${new_text}`),
  );
}

export function verifiedClaimText(output: VerifyClaimOutput, fence: TextFence = NO_FENCE): string {
  const pieces = output.evidence.map((piece) => {
    const ids = [piece.evidence_id, ...(piece.place ? [piece.place.section_id] : [])];
    const quote = piece.change ? '' : fence(ids, piece.quote);
    return lines(`${piece.stance} ${piece.evidence_id}: ${standingText(piece, ids, fence)}`, quote);
  });
  return lines(headText(output), ...pieces, ...restLines(output));
}

const countStates = (standings: readonly QuoteStanding[]): string => {
  const states = [...new Set(standings.map(({ state }) => state))].sort();
  const count = (state: string): number => standings.filter((each) => each.state === state).length;
  return states.map((state) => `${count(state)} ${state}`).join(', ') || 'none';
};

export const verifiedClaimSummary = (claim: VerifyClaimOutput): string =>
  `Evidence of claim ${claim.claim_id} (${stateText(claim)}): ${countStates(claim.evidence)}.`;

export function verifiedQuotesText(
  { quotes, ...rest }: VerifyQuotesOutput,
  fence: TextFence = NO_FENCE,
): string {
  const items = quotes.map((quote) => {
    const ids = quote.place ? [quote.place.section_id] : [];
    return `${quote.number}. ${standingText(quote, ids, fence)}`;
  });
  return lines(...items, ...restLines(rest));
}

export const verifiedQuotesSummary = ({ quotes }: VerifyQuotesOutput): string =>
  `Quotes: ${countStates(quotes)}.`;
