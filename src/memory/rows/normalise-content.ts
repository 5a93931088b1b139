/**
 * Reduces a text to what makes two of them the same: compatibility forms, case, white space and what can't be seen
 * don't count.
 */
export function normaliseContent(text: string): string {
  const plain = collapsed(text.normalize('NFKC').toLowerCase());
  // What is removed may have stood between two spaces.
  return collapsed(plain.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

function collapsed(text: string): string {
  return text.replace(/\p{White_Space}+/gu, ' ').replace(/^ | $/g, '');
}
