/** The fields that errors of the system have. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** A program that the system could not start, in words with the next step; null for other errors. */
export function startTrouble({ code, syscall, path }: SystemError): string | null {
  if (!String(syscall).startsWith('spawn ')) return null;
  const program = `the program ${String(path ?? String(syscall).slice('spawn '.length))}`;
  const place = program.includes('/') ? 'does not exist' : 'was not found on PATH';
  if (code === 'ENOENT')
    return `${program} ${place}, or its cwd does not exist. Correct command or cwd in the governance file, or install the program`;
  if (code === 'EACCES')
    return `${program} may not be executed. Correct command in the governance file, or the permissions of the program`;
  return null;
}
