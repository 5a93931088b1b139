/** Collects the output of a test's commands on stdout. */
export interface CommandOutput {
  readonly text: string;
  readonly clear: () => void;
}

/** Runs the commands of each test of a file with these variables, and catches what they print. */
export function commandOutput(variables: Readonly<Record<string, string>> = {}): CommandOutput {
  let printed = '';
  let environment: NodeJS.ProcessEnv;
  const clear = (): void => {
    printed = '';
  };

  beforeEach(() => {
    clear();
    environment = { ...process.env };
    Object.assign(process.env, variables);
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });

  afterEach(() => {
    process.env = environment;
    jest.restoreAllMocks();
  });

  return {
    clear,
    get text() {
      return printed;
    },
  };
}
