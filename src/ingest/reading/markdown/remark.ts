/** A message about one file. */
export interface Remark {
  /** `PATH`, or `PATH:LINE` if the line is known. */
  readonly path: string;
  readonly reason: string;
  /** True when the user should fix it. */
  readonly isProblem: boolean;
}
