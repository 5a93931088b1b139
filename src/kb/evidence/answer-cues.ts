/** The kind of answer that the form of a question asks for. English only; other languages give no cue. */
export interface QuestionShape {
  /** Asks what to do. */
  readonly asksHow: boolean;
  /** Wants to know whether something holds, or why it went wrong. */
  readonly asksWhetherOrWhy: boolean;
}

/** Cues in the form of a sentence. */
export interface AnswerCues {
  /** Signs of an instruction: begins with an imperative, or says what you can or must do. 0 to 2. */
  readonly instructions: number;
  /** Says what is or is not possible, allowed or required. */
  readonly isConstraint: boolean;
  /** Names something in code marks. */
  readonly isNaming: boolean;
}

const HOW = /\bhow\b/i;
const WHETHER = /^(?:is|are|does|do|can|should|will|must|may)\b/i;
const WHY = /\bwhy\b|fail|error|complain|wrong|broke/i;

const IMPERATIVE =
  /^\W*(?:use|set|call|pass|add|create|run|install|import|enable|disable|define|specify|provide|make|configure|open|select|choose|declare|include|remove|change|ensure|see|note|to)\b/i;
const YOU_CAN =
  /\b(?:you (?:can|must|should|need|may|have to)|by (?:calling|setting|using|passing|adding|specifying|running)|(?:use|using) the|using `|use (?:`|an?\b|this\b))/i;
const CONSTRAINT =
  /\b(?:can(?:not|'t)?|must|may|should|do(?:es)? not|don't|doesn't|isn't|won't|not|no|never|only|always|required?|optional|supported?|allowed|automatically|by default)\b/i;
const CODE_MARKS = /`[^`]+`/;

/** Reads the form of a question. */
export function questionShape(question: string): QuestionShape {
  return { asksHow: HOW.test(question), asksWhetherOrWhy: WHETHER.test(question) || WHY.test(question) };
}

/** Reads the form of a sentence. */
export function answerCues(sentence: string): AnswerCues {
  return {
    instructions: Number(IMPERATIVE.test(sentence)) + Number(YOU_CAN.test(sentence)),
    isConstraint: CONSTRAINT.test(sentence),
    isNaming: CODE_MARKS.test(sentence),
  };
}
