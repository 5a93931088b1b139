/** Stops the start-up, or a command. The message has one line for each problem, with advice. */
export class InvalidConfigurationError extends Error {
  constructor(
    readonly problems: readonly string[],
    readonly heading = "Pith can't start with this configuration:",
  ) {
    super(`${heading}\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'InvalidConfigurationError';
  }
}
