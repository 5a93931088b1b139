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

const ASKS_FOR_CHANGES =
  /\b(?:chang(?:e[ds]?|es|ing|elog)|release[ds]?|versions?|new|news|since|introduced|added|removed|deprecat\w{1,10}|upgrad\w{1,4}|migrat\w{1,5}|breaking|latest|history)\b/i;
/** Pages that list the changes of versions, by the name of their file or of a folder. */
const CHANGELOG =
  /(?:^|\/)(?:change-?logs?|changes|release[-_]?notes|releases|what-?s-?new|news|HISTORY)(?:\.\w{1,10})?(?:\/|$)/;

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

/** True if a list of changes may answer a question. */
export function asksForChanges(question: string): boolean {
  return ASKS_FOR_CHANGES.test(question);
}

/** True for the path of a page that lists the changes of versions. */
export function isChangelog(path: string): boolean {
  return CHANGELOG.test(path.toLowerCase()) || CHANGELOG.test(path);
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
