import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** On Windows, a command may leave out its ending. */
const ENDINGS = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];

/** A program that the governance file names. */
interface NamedProgram {
  readonly command: string;
  /** Null: the working directory of the server. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** True if the system finds the program: by its path, or by its name on PATH. */
export function isProgramFound({ command, cwd, env }: NamedProgram): boolean {
  const isPath = isAbsolute(command) || /[\\/]/.test(command);
  const folders = isPath ? [''] : (env['PATH'] ?? process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) =>
    ENDINGS.some((ending) => isFile(resolve(cwd ?? '.', join(folder, `${command}${ending}`)))),
  );
}

/** True if the folder that a program starts in exists. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
