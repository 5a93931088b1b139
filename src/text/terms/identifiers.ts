/** Longer texts are no identifiers. */
const MAX_CHARS = 128;
const WORD = '\\p{L}\\p{M}\\p{N}_';
const QUOTES = /^[`"'“‘]+|[`"'”’]*[?,;!]*$/gu;
// A sign or a digit, an inner capital, or capitals only: --force, .NET, max_items, maxItems, SIGTERM, 1.2.3. Not a plain word.
const IDENTIFIER = /^(?=\S*[\p{L}\p{N}])(?:\S*[^\s\p{L}\p{M}]\S*|\S*\p{Ll}\p{Lu}\S*|\p{Lu}{2,})$/u;
const WORD_SIGN = new RegExp(`[${WORD}]`, 'u');

/** The identifier that a question consists of, without quotes around it; null for other questions. */
export function identifierIn(question: string): string | null {
  const bare = question.trim().replace(QUOTES, '');
  return bare.length <= MAX_CHARS && IDENTIFIER.test(bare) ? bare : null;
}

/** Characters on each side that decide if an identifier is a part of a longer one. */
const BESIDE = 8;

/** Matches text that makes the identifier after it a part: `-` and `.` join words, as does `/` in paths, but not in `-b/--bell`. */
function leftPart(identifier: string, slash: string): RegExp {
  const joined = `[${WORD}](?:(?:[-.@${slash}]|::)+)?`;
  const signs = WORD_SIGN.test(identifier.charAt(0))
    ? `[-.]|(?:^|[^${WORD}])/`
    : `[-.:@#$%${identifier.startsWith('-') ? '' : '/\\\\'}]`;
  return new RegExp(`(?:${joined}|${signs})$`, 'u');
}

function rightPart(identifier: string, slash: string): RegExp {
  const joined = WORD_SIGN.test(identifier.at(-1) ?? '')
    ? `|\\+\\+|#|(?:[-.${slash}]|::)+[${WORD}{<*$%:\\[]`
    : '';
  return new RegExp(`^(?:[${WORD}]${joined})`, 'u');
}

/** How a text contains an identifier: in this spelling, in another case, or only as a part of another one. */
export type Containment = 'same' | 'other_case' | 'none';

/** Finds an identifier that is unbroken: `--force`, but not within `--force-with-lease`. */
export function identifierFinder(identifier: string): (text: string) => Containment {
  const slash = /[\\/.:@]/.test(identifier) ? '/\\\\' : '';
  const [before, behind] = [leftPart(identifier, slash), rightPart(identifier, slash)];
  const { length } = identifier;
  const isIn = (text: string, sought: string): boolean => {
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
      const isPart =
        before.test(text.slice(Math.max(0, at - BESIDE), at)) ||
        behind.test(text.slice(at + length, at + length + BESIDE));
      if (!isPart) return true;
    }
    return false;
  };
  return (text) => {
    if (isIn(text, identifier)) return 'same';
    return isIn(text.toLowerCase(), identifier.toLowerCase()) ? 'other_case' : 'none';
  };
}
