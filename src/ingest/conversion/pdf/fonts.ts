import { IDENTITY, matrixFrom } from './matrix.js';

/** How a font looks. */
export interface FontStyle {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMono: boolean;
}

export interface Font extends FontStyle {
  /** Units of a glyph's width in those of the font's size. */
  readonly unit: number;
  readonly isVertical: boolean;
  /** True if its glyphs are drawn with `y` down. */
  readonly isFlipped: boolean;
}

export const PLAIN: Font = {
  ...{ isBold: false, isItalic: false, isMono: false, unit: 0.001, isVertical: false, isFlipped: false },
};

const BOLD = /bold|black|heavy|demi|CMBX|CMSSBX|SFBX|SFSX|Nimbus\w*-Medi|[-,]Bd/i;
const MONO =
  /mono|courier|typewriter|CMTT|CMSLTT|CMITT|SFTT|ECTT|LMMono|consol|menlo|fixed|inconsolata|lettergothic|source ?code/i;
const ITALIC = /ital|obli|slant|CMTI|CMSL|SFTI/i;

export function readFont(found: unknown): Font {
  if (typeof found !== 'object' || found === null) return PLAIN;
  const facts = found;
  const is = (key: string): boolean => key in facts && Reflect.get(facts, key) === true;
  const name = 'name' in facts && typeof facts.name === 'string' ? facts.name : '';
  const matrix = 'fontMatrix' in facts ? matrixFrom(facts.fontMatrix) : IDENTITY;
  const isFixed = 'fallbackName' in facts && facts.fallbackName === 'monospace';
  return {
    isBold: is('bold') || is('black') || BOLD.test(name),
    isItalic: is('italic') || ITALIC.test(name),
    isMono: isFixed || MONO.test(name),
    unit: matrix === IDENTITY ? 0.001 : Math.abs(matrix[0]),
    isVertical: is('vertical'),
    isFlipped: matrix[3] < 0,
  };
}
