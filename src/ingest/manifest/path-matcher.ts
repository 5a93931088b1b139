import picomatch from 'picomatch';

/** Matches paths with globs; both have composed accents. */
export const pathMatcher = (globs: string | readonly string[]): ((path: string) => boolean) =>
  picomatch([globs].flat().map((glob) => glob.normalize('NFC')));

/** Matches paths with those of the globs that do not match files with another extension: `**\/*.py`, not `src/**`. */
export function extensionMatcher(globs: readonly string[] = []): (path: string) => boolean {
  const matchers = globs.map((glob) => pathMatcher(glob));
  return (path) =>
    matchers.some((matches) => matches(path) && !matches(path.replace(/\.[^./]*$/, '.another-extension')));
}
