import { posix } from 'node:path';

/** The files of the corpus that a page may include, by their paths. */
export interface CorpusFiles {
  readonly has: (path: string) => boolean;
  /** null if it is not a small text file. */
  readonly read: (path: string) => string | null;
}

/** Something that a page asks for and that was not put in. */
export interface Missed {
  /** The page, or the included file that asks. */
  readonly path: string;
  /** Of the page, from 1; 0 in an included file. */
  readonly line: number;
  /** As written. */
  readonly what: string;
  readonly why: string;
}

/** Where an include stands. */
export interface IncludePlace {
  readonly page: string;
  /** That of the page. */
  readonly inclusion: Inclusion;
  /** The files that include each other down to the one with the include; [] in the page itself. */
  readonly above: readonly string[];
}

/** The request of a line. */
export interface Wanted {
  /** Paths from the root of the corpus, the best first. */
  readonly paths: readonly string[];
  readonly what: string;
  readonly line: number;
}

export interface Included {
  readonly path: string;
  readonly lines: readonly string[];
  /** The place of includes in the file. */
  readonly place: IncludePlace;
}

/** Of one page, with the files that its included files include. */
const MAX_INCLUDES = 1_000;
/** Of one page, included files among them. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 10;
/** Characters that includes and values add to one page. */
const MAX_ADDED_CHARS = 2_000_000;
/** Why nothing more is put into a page. */
export const IS_FULL = `would make the page more than ${MAX_ADDED_CHARS} characters longer`;
/** Larger files are left out. */
const MAX_FILE_CHARS = 100_000;

export type Lines = readonly string[];

/** The file in which an include stands. */
export const fileAt = ({ page, above }: Pick<IncludePlace, 'page' | 'above'>): string => above.at(-1) ?? page;

/** The path as a path of the corpus. It begins with `..` outside of it. */
export const joined = (folder: string, path: string): string =>
  posix.normalize(posix.join(folder, path)).normalize('NFC');

/** The folders from that of a page up to the root of the corpus. */
export function foldersUp(page: string): readonly string[] {
  const parts = posix.dirname(page).split('/');
  const folders = parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
  return folders.includes('.') ? folders : [...folders, '.'];
}

/** The includes of one page: reads files of the corpus only, within limits, and notes what could not be put in. */
export class Inclusion {
  readonly missed: Missed[] = [];
  /** The files that were put in whole. */
  readonly used = new Set<string>();
  /** How many includes and variables were put in. */
  count = 0;
  /** True if the page asks for anything, so that it can change when other files do. */
  isAsked = false;
  private left = MAX_INCLUDES;
  private chars = MAX_ADDED_CHARS;

  constructor(readonly files: CorpusFiles) {}

  /**
   * The lines of a file that are to be put in.
   * @param select  null if the file does not have the part that is asked for
   * @returns null if it can't be put in, which is noted
   */
  open(wanted: Wanted, place: IncludePlace, select: (lines: Lines) => Lines | null): Included | null {
    this.isAsked = true;
    const path = wanted.paths.find((candidate) => this.files.has(candidate));
    const found = path === undefined ? noFile(wanted.paths) : this.select(path, place, select);
    if (path === undefined || typeof found === 'string') {
      this.miss(wanted, place, String(found));
      return null;
    }
    const { lines, isWhole } = found;
    if (isWhole) this.used.add(path);
    this.count++;
    return { path, lines, place: { ...place, above: [...place.above, path] } };
  }

  /** Counts a value that is put in. @returns false if the page may have no more of them */
  putValue(text = ''): boolean {
    this.isAsked = true;
    if (this.count >= MAX_VALUES || !this.spend(text.length)) return false;
    this.count++;
    return true;
  }

  /** Counts characters that are put in or read for it. @returns false if they are too many */
  spend(chars: number): boolean {
    if (this.chars > 0) this.chars -= chars;
    else if (chars > 0) return false;
    return this.chars >= 0;
  }

  /** Notes what is not put in. */
  miss({ what, line }: Pick<Wanted, 'what' | 'line'>, place: IncludePlace, why: string): void {
    this.isAsked = true;
    if (this.missed.length >= MAX_INCLUDES) return;
    this.missed.push({ path: fileAt(place), line: place.above.length > 0 ? 0 : line, what, why });
  }

  /** @returns a text with the reason if there are no lines */
  private select(
    path: string,
    place: IncludePlace,
    select: (lines: Lines) => Lines | null,
  ): { readonly lines: Lines; readonly isWhole: boolean } | string {
    if (place.page === path || place.above.includes(path)) return 'includes itself';
    if (place.above.length >= MAX_DEPTH) return `is nested more than ${MAX_DEPTH} deep`;
    if (this.left-- <= 0) return `follows ${MAX_INCLUDES} other includes of the page`;
    if (this.chars <= 0) return IS_FULL;
    const text = this.files.read(path);
    if (text === null || text.length > MAX_FILE_CHARS)
      return `is not a text of at most ${MAX_FILE_CHARS} characters`;
    const all = text.trimEnd().split('\n');
    const lines = select(all);
    if (lines === null) return 'does not have this part';
    return this.spend(lines.reduce((sum, line) => sum + line.length + 1, 0))
      ? { lines, isWhole: isWhole(all, lines) }
      : IS_FULL;
  }
}

/** Marks of the parts of a file. */
const MARK = /8<-|\bANCHOR(?:_END)?:|#(?:end)?region\b|\b(?:tag|end)::/;

/** True if all of a file is put in, but for marks. */
function isWhole(all: Lines, taken: Lines): boolean {
  const shown = new Set(['', ...taken.map((line) => line.trim())]);
  return all.every((line) => shown.has(line.trim()) || MARK.test(line));
}

function noFile(paths: readonly string[]): string {
  const isOutside = paths.length > 0 && paths.every((path) => path.startsWith('..'));
  return isOutside ? 'is outside of the folder' : 'is not among the files of the folder';
}
