import type { YAMLParseError } from 'yaml';

/** Advice for a value that begins with *, which YAML reads as an alias. */
const STAR = "YAML reads a value that begins with * as an alias. Put it in quotes, such as '*' or 'kb.*'";

/** Common errors of YAML, by the code of the parser. */
const WORDS: Readonly<Partial<Record<string, string>>> = {
  BAD_ALIAS: STAR,
  BAD_INDENT:
    'this line is indented differently than the lines that it belongs to. Align it with them, with spaces',
  BLOCK_AS_IMPLICIT_KEY:
    'a line has two "name: value" pairs, or a value contains ": ". Put the value in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'inside { } or [ ], entries are separated by commas, not by lines that begin with -',
  DUPLICATE_KEY: 'this name occurs twice in one map. Remove one, or merge both',
  MISSING_CHAR: 'a closing character is missing: a quote, ], } or a comma',
  MULTILINE_IMPLICIT_KEY: 'a name has no ":" after it, or a quote is not closed',
  MULTIPLE_DOCS: 'the file has more than one document. Remove the line ---',
  TAB_AS_INDENT: 'a tab indents this line. Use spaces',
  BAD_SCALAR_START: 'a value begins with @ or `. Put it in quotes',
  TAG_RESOLVE_FAILED: 'a value begins with !, which YAML reads as a tag. Put it in quotes',
  UNEXPECTED_TOKEN: 'this text does not belong here. Check quotes, commas and the indentation',
};

/** An error of the YAML parser in words, without a full stop. */
export const yamlTrouble = ({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string =>
  `not valid YAML: ${WORDS[code] ?? message.split(/ at line |\n/)[0] ?? 'it can not be read'}`;

/** An alias that stands for nothing, or aliases that expand without end. */
export const aliasTrouble = (message: string): string =>
  /unresolved/i.test(message)
    ? STAR
    : 'aliases (*name) that repeat each other are not supported. Write their values out';
