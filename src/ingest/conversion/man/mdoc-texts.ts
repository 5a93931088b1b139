const STANDARDS: Readonly<Record<string, string>> = {
  '-ansiC': 'ANSI X3.159-1989 (“ANSI C89”)',
  '-ansiC-89': 'ANSI X3.159-1989 (“ANSI C89”)',
  '-isoC': 'ISO/IEC 9899:1990 (“ISO C90”)',
  '-isoC-90': 'ISO/IEC 9899:1990 (“ISO C90”)',
  '-isoC-99': 'ISO/IEC 9899:1999 (“ISO C99”)',
  '-isoC-2011': 'ISO/IEC 9899:2011 (“ISO C11”)',
  '-p1003.1-90': 'ISO/IEC 9945-1:1990 (“POSIX.1”)',
  '-p1003.1-96': 'ISO/IEC 9945-1:1996 (“POSIX.1”)',
  '-iso9945-1-90': 'ISO/IEC 9945-1:1990 (“POSIX.1”)',
  '-iso9945-1-96': 'ISO/IEC 9945-1:1996 (“POSIX.1”)',
  '-susv2': 'Version 2 of the Single UNIX Specification (“SUSv2”)',
  '-susv3': 'Version 3 of the Single UNIX Specification (“SUSv3”)',
  '-svid4': 'System V Interface Definition, Fourth Edition (“SVID4”)',
  '-xpg3': 'X/Open Portability Guide Issue 3 (“XPG3”)',
  '-xpg4': 'X/Open Portability Guide Issue 4 (“XPG4”)',
  '-xpg4.2': 'X/Open Portability Guide Issue 4, Version 2 (“XPG4.2”)',
  '-ieee754': 'IEEE Std 754-1985',
};

/** The names of standards, by argument of `St`. */
export function standardText(name: string): string {
  const known = STANDARDS[name];
  if (known !== undefined) return known;
  const [, part, letter = '', year] = /^-p1003\.([12])([a-z]?)(?:-(\d{2,4}))?$/.exec(name) ?? [];
  if (part === undefined) return name.replace(/^-/, '');
  const suffix = year === undefined ? '' : `-${year.length === 2 ? '19' : ''}${year}`;
  return `IEEE Std 1003.${part}${letter}${suffix} (“POSIX.${part}”)`;
}

const LIBRARIES: Readonly<Record<string, string>> = {
  libarchive: 'Reading and Writing Streaming Archives Library',
  libbsd: 'Utility functions from BSD systems',
  libc: 'Standard C Library',
  libcrypt: 'Crypt Library',
  libedit: 'Command Line Editor Library',
  libkvm: 'Kernel Data Access Library',
  libm: 'Math Library',
  libmd: 'Message Digest (MD4, MD5, etc.) Support Library',
  libpthread: 'POSIX Threads Library',
  librt: 'POSIX Real-time Library',
  libutil: 'System Utilities Library',
  libz: 'Compression Library',
};

/** The text before the names of a library, for `Lb`. */
export const libraryText = (name: string): string => LIBRARIES[name] ?? 'Library';

/** The name of a release such as `v7` or `V.4`, for `At`. */
export function attText(release: string): string {
  const [, version] = /^v?([1-7]|32v)$/.exec(release) ?? [];
  if (version !== undefined) return `Version ${version.toUpperCase()} AT&T UNIX`;
  const [, system, number] = /^(III|V)(?:\.([1-4]))?$/.exec(release) ?? [];
  if (system === undefined) return `AT&T UNIX ${release}`.trim();
  return `AT&T System ${system}${number === undefined ? '' : ` Release ${number}`} UNIX`;
}

/** `a`, `a and b`, or `a, b, and c`. */
export function listText(names: readonly string[]): string {
  const comma = names.length > 2 ? ',' : '';
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')}${comma} and ${names.at(-1) ?? ''}`;
}
