/** Something that a run has to say of a file that it took. */
export interface Remark {
  /** With the line where there is one, as `PATH:LINE`. */
  readonly path: string;
  readonly reason: string;
  /** Whether somebody should mend it. */
  readonly isProblem: boolean;
}
