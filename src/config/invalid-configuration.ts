/** Stops the start-up. The message has one line for each problem, with advice. */
export class InvalidConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Pith can't start with this configuration:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'InvalidConfigurationError';
  }
}
