declare module 'github-slugger' {
  class GithubSlugger {
    /** Counts earlier headings of the page, so that slugs are unique. */
    slug(value: string, maintainCase?: boolean): string;
    /** Makes a slug without counting earlier headings. */
    static slug(value: string, maintainCase?: boolean): string;
  }
  export = GithubSlugger;
}
