/** Stops the start. The message lists every problem on a line of its own, with what to do. */
export class InvalidConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Pith can't start with this configuration:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'InvalidConfigurationError';
  }
}
