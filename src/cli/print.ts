/** Writes lines to stdout. Only commands call it: the stdout of a server has protocol bytes alone. */
export const print = (...lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
