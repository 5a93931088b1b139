declare module 'github-slugger' {
  class GithubSlugger {
    /** Keeps count of earlier headings of the page. */
    slug(value: string, maintainCase?: boolean): string;
    /** Forgets nothing, remembers nothing. */
    static slug(value: string, maintainCase?: boolean): string;
  }
  export = GithubSlugger;
}
