declare module 'stemmer' {
  /** Porter's stemmer (1980) for one lower-case word. */
  function stemmer(word: string): string;
  export = stemmer;
}
