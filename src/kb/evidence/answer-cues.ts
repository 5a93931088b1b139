const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|dozen';
const NUMBER = `(?:(?<![\\p{L}\\p{N}_.-]|\\d,)\\d[\\d.,_]*|\\b(?:${NUMBER_WORDS}|an?|half|several|few)\\b)`;

const pattern = (source: string): RegExp => new RegExp(source, 'iu');

/** A kind of quantity: the questions that ask for it, and the sentences that can state it. */
interface Quantity {
  readonly asked: RegExp;
  readonly stated: RegExp;
}

const DURATION: Quantity = {
  asked: pattern(
    '\\b(?:how (?:long|often|soon|frequently)|how many (?:(?:milli)?seconds|minutes|hours|days|weeks|months|years))\\b',
  ),
  stated: pattern(
    `${NUMBER}[ -]?(?:ms|s|sec|(?:milli)?seconds?|min|minutes?|hours?|h|days?|weeks?|months?|years?)\\b|\\b(?:daily|hourly|weekly|monthly|yearly|nightly|forever|indefinitely|once|twice|immediately|at once|never|until|as long as|(?:each|every) \\w+)\\b`,
  ),
};
const SIZE: Quantity = {
  asked: pattern(
    '\\b(?:how (?:large|big|much (?:\\w+ )?(?:memory|ram|disk|space|storage))|(?:in|how many) (?:kilo|mega|giga)?bytes)\\b',
  ),
  stated: pattern(
    `${NUMBER}[ -]?(?:[kmgt]i?b|[kmgt]|(?:kilo|mega|giga|tera)?bytes?|characters|pixels|rows|lines)\\b|\\bunlimited\\b|\\bno (?:upper )?limit\\b`,
  ),
};
const PRICE: Quantity = {
  asked: pattern(
    "\\b(?:(?:what|how much) (?:do|does|is|would|will)\\b[^.?]{0,200}\\bcosts?|how much do i pay|(?:what is|what's) the price)\\b",
  ),
  stated: pattern('[$€£]\\s?\\d|\\d\\s?[$€£]|\\b(?:usd|eur|dollars?|euros?|cents?|free)\\b'),
};
const VERSION: Quantity = {
  asked: pattern('\\b(?:which|what)(?: \\w+){0,3} (?:release|version)\\b'),
  stated: pattern('\\d\\.\\d|\\bv\\d|\\d{4}-\\d{2}|\\p{L} \\d'),
};
const COUNT: Quantity = {
  asked: pattern('\\b(?:how many|(?:maximum|minimum|recommended|largest|highest|default) number)\\b'),
  stated: pattern(
    `(?<![\\p{L}\\p{N}_.-])\\d|\\b(?:${NUMBER_WORDS}|single|several|unlimited|any number|no limit|none|both|twice|once|each|per)\\b`,
  ),
};
/** The first that fits: `how many seconds` asks for a duration. */
const QUANTITIES = [DURATION, SIZE, PRICE, VERSION, COUNT];

const LIST_MARK = /^\s*(?:\d+[.)]|[-*+])\s/;

/**
 * A test for sentences that state the quantity which a question asks for. Only for English questions.
 * @returns null if the question asks for no quantity
 */
export function askedQuantity(question: string): ((sentence: string) => boolean) | null {
  const quantity = QUANTITIES.find(({ asked }) => asked.test(question));
  return quantity ? (sentence) => quantity.stated.test(sentence.replace(LIST_MARK, '')) : null;
}

/** The kind of answer that the form of a question asks for, by English words. */
export interface QuestionShape {
  readonly asksHow: boolean;
  /** Asks if something is true or possible, or why something failed. */
  readonly asksWhetherOrWhy: boolean;
  /** True if code may answer: it asks how, or for a command, a setting or another name. */
  readonly asksForCode: boolean;
}

const HOW = /\bhow\b/i;
const HOW_MUCH = /\bhow (?:many|much|long|often|soon|large|big|fast|far)\b/gi;
const NAMES_CODE =
  /\b(?:(?:command|flag|option|setting|switch|snippet|one-liner|line|directive|parameter|variable|function|method|hook|key|attribute)s?|switches|propert(?:y|ies)|syntax|config|what do i (?:write|put|type|run|add))\b/i;
const WHETHER = /^(?:is|are|does|do|can|should|will|must|may)\b/i;
const WHY = /\bwhy\b|fail|error|complain|wrong|broke/i;

const IMPERATIVE =
  /^\W*(?:use|set|call|pass|add|create|run|install|import|enable|disable|define|specify|provide|make|configure|open|select|choose|declare|include|remove|change|ensure|see|note|to)\b/i;
const YOU_CAN =
  /\b(?:you (?:can|must|should|need|may|have to)|by (?:calling|setting|using|passing|adding|specifying|running)|(?:use|using) the|using `|use (?:`|an?\b|this\b))/i;
const CONSTRAINT =
  /\b(?:can(?:not|'t)?|must|may|should|do(?:es)? not|don't|doesn't|isn't|won't|not|no|never|only|always|required?|optional|supported?|allowed|automatically|by default)\b/i;
const CODE_MARKS = /`[^`]+`/;

export function questionShape(question: string): QuestionShape {
  const asksHow = HOW.test(question);
  const withoutAmounts = question.replace(HOW_MUCH, '');
  return {
    asksHow,
    asksWhetherOrWhy: WHETHER.test(question) || WHY.test(question),
    asksForCode: HOW.test(withoutAmounts) || NAMES_CODE.test(question),
  };
}

/** Number of signs of an instruction: an imperative at the start, "you can", "by using". 0 to 2. */
export function countInstructions(sentence: string): number {
  return Number(IMPERATIVE.test(sentence)) + Number(YOU_CAN.test(sentence));
}

/** True if a sentence states what is possible, allowed or required, or what is not. */
export function statesConstraint(sentence: string): boolean {
  return CONSTRAINT.test(sentence);
}

export function namesCode(sentence: string): boolean {
  return CODE_MARKS.test(sentence);
}
