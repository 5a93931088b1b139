/** The part of a tokenizer.json that is used. */
interface TokenizerFile {
  readonly normalizer?: { readonly lowercase?: boolean } | null;
  readonly model?: { readonly type?: string; readonly vocab?: Readonly<Record<string, number>> };
}

/** Longer words are unknown to every model of this kind. */
const MAX_WORD_CHARS = 100;

const MAX_KNOWN_WORDS = 20_000;

const HAN =
  '\\u{3400}-\\u{4dbf}\\u{4e00}-\\u{9fff}\\u{f900}-\\u{faff}\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}';
const MARK = '!-\\/:-@\\[-`\\{-~\\p{P}';
/** A Chinese character and a punctuation mark are words of their own. */
const WORDS = new RegExp(`[${HAN}${MARK}]|[^\\s${HAN}${MARK}]+`, 'gu');

/** Splits texts into the tokens of BERT's models: the longest pieces of each word that the vocabulary has. */
export class WordPiece {
  private readonly vocabulary: ReadonlyMap<string, number>;
  private readonly isLower: boolean;
  private readonly unknown: number;
  private readonly start: number;
  private readonly end: number;
  /** The pieces of frequent words. */
  private readonly known = new Map<string, readonly number[]>();

  /** @param text  of a tokenizer.json @throws Error for other kinds of tokenizers */
  constructor(text: string) {
    const { normalizer, model }: TokenizerFile = JSON.parse(text);
    if (model?.type !== 'WordPiece' || !model.vocab)
      throw new Error(`the tokenizer is ${model?.type ?? 'unknown'}; only WordPiece is supported`);
    this.vocabulary = new Map(Object.entries(model.vocab));
    this.isLower = normalizer?.lowercase !== false;
    const idOf = (token: string): number => this.vocabulary.get(token) ?? 0;
    this.unknown = idOf('[UNK]');
    this.start = idOf('[CLS]');
    this.end = idOf('[SEP]');
  }

  /** The ids of a text between the two marks of its ends, at most `most`. */
  encode(text: string, most: number): number[] {
    return [this.start, ...this.pieces(text, most - 2), this.end];
  }

  /** The ids of two texts, which together have at most `most`; the second text is cut. */
  encodePair(
    first: string,
    second: string,
    most: number,
  ): { readonly ids: number[]; readonly second: number } {
    // A first text that is too long leaves a quarter for the second.
    const head = this.encode(first, most - Math.floor(most / 4));
    return { ids: [...head, ...this.pieces(second, most - head.length - 1), this.end], second: head.length };
  }

  private pieces(text: string, most: number): number[] {
    const ids: number[] = [];
    for (const [word] of this.normalise(text).matchAll(WORDS)) {
      if (ids.length >= most) break;
      ids.push(...this.piecesOf(word));
    }
    return ids.slice(0, most);
  }

  private normalise(text: string): string {
    const clean = text.replace(/[\t\n\r]/g, ' ').replace(/[\p{C}\ufffd]/gu, '');
    return this.isLower
      ? clean
          .toLowerCase()
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
      : clean;
  }

  private piecesOf(word: string): readonly number[] {
    const known = this.known.get(word);
    if (known) return known;
    const found = word.length > MAX_WORD_CHARS ? null : this.split(word);
    const ids = found ?? [this.unknown];
    if (this.known.size >= MAX_KNOWN_WORDS) this.known.clear();
    this.known.set(word, ids);
    return ids;
  }

  /** Null if the vocabulary can't spell the word. */
  private split(word: string): number[] | null {
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.vocabulary.get(`${start > 0 ? '##' : ''}${word.slice(start, end)}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return null;
      ids.push(id);
      start = end;
    }
    return ids;
  }
}
