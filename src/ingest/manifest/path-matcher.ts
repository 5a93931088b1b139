import picomatch from 'picomatch';

/** Matches paths with globs; both have composed accents. */
export const pathMatcher = (globs: string | readonly string[]): ((path: string) => boolean) =>
  picomatch([globs].flat().map((glob) => glob.normalize('NFC')));
