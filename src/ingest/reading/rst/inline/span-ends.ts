/** White space, punctuation or the end of the text, without which a mark does not end inline markup. */
const AFTER = String.raw`(?=[\s\p{P}<>=+|~$^]|$)`;

/** Finds the ends of spans in one text. Each kind of end is searched for once, so that unclosed spans cost nothing. */
export class SpanEnds {
  private readonly literal: NextMatch;
  private readonly interpreted: NextMatch;

  constructor(text: string) {
    this.literal = new NextMatch(text, new RegExp('(?<=\\S)``(?!`)' + AFTER, 'gu'));
    this.interpreted = new NextMatch(text, new RegExp('(?<![\\s\\\\`])`(?!`)(?:(?=_)|' + AFTER + ')', 'gu'));
  }

  /** The start of the backticks that end a literal; -1 without end. @param from  not less than before */
  ofLiteral(from: number): number {
    return this.literal.from(from);
  }

  /** The backtick that ends interpreted text; -1 without end. @param from  not less than before */
  ofInterpreted(from: number): number {
    return this.interpreted.from(from);
  }
}

class NextMatch {
  private at = -2;

  constructor(
    private readonly text: string,
    private readonly pattern: RegExp,
  ) {}

  from(from: number): number {
    if (this.at === -1 || this.at >= from) return this.at;
    this.pattern.lastIndex = from;
    this.at = this.pattern.exec(this.text)?.index ?? -1;
    return this.at;
  }
}
