// The documentations of the lab: public packages that ship one, in four formats, made by six generators. None is in this repository.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

/**
 * `npm` or `debian` names the package, `from` its folders and files with documents. The version is that of which the
 * questions were asked: pages of another one that differ are left out of the figures.
 */
export const CORPORA = {
  fastify: { npm: 'fastify@5.12.8', from: ['package/docs', 'package/README.md'] },
  undici: { npm: 'undici@7.30.2', from: ['package/docs', 'package/README.md'] },
  borg: { debian: 'borgbackup-doc', version: '1.2.4-1', from: ['usr/share/doc/borgbackup/html'] },
  django: {
    debian: 'python-django-doc',
    version: '3:3.2.25',
    from: ['usr/share/doc/python-django-doc/html'],
  },
  nodejs: { debian: 'nodejs-doc', version: '18.20.4', from: ['usr/share/doc/nodejs/api'], endings: ['.md'] },
  postgresql: {
    debian: 'postgresql-doc-15',
    version: '15.20',
    from: ['usr/share/doc/postgresql-doc-15/html'],
  },
  apache: { debian: 'apache2-doc', version: '2.4.71', from: ['usr/share/doc/apache2-doc/manual/en'] },
  sqlite: { debian: 'sqlite3-doc', version: '3.40.1', from: ['usr/share/doc/sqlite3'] },
};

const ENDINGS = ['.html', '.md', '.txt'];
/** Generated copies of sources. */
const LEFT_OUT = /^(?:_sources|_modules)$/;

function unpack({ npm, debian }, folder) {
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: 'pipe' });
  run(...(npm ? ['npm', 'pack', npm] : ['apt-get', 'download', debian]));
  const [archive] = readdirSync(folder);
  run(...(npm ? ['tar', 'xzf', archive] : ['dpkg-deb', '-x', archive, '.']));
}

/** Copies documents, and unpacks those that Debian compresses. */
function copyDocuments(from, to, endings) {
  const keeps = (file) => {
    // Links to files of other packages lead nowhere.
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) return !LEFT_OUT.test(file.split('/').at(-1));
    return found !== undefined && endings.includes(extname(file.replace(/\.gz$/, '')));
  };
  cpSync(from, to, { recursive: true, dereference: true, filter: keeps });
  if (statSync(to).isFile()) return;
  for (const file of readdirSync(to, { recursive: true }).filter((name) => name.endsWith('.gz')))
    execFileSync('gzip', ['-d', join(to, file)]);
}

/** Downloads a documentation with the package manager, unless the folder has it. @returns where its documents are */
export function prepareCorpus(name, folder) {
  const to = join(folder, name);
  if (existsSync(to)) return to;
  const corpus = CORPORA[name];
  mkdirSync(folder, { recursive: true });
  const unpacked = mkdtempSync(join(folder, 'unpacked-'));
  try {
    unpack(corpus, unpacked);
    for (const part of corpus.from) {
      const source = join(unpacked, part);
      const isFile = statSync(source).isFile();
      copyDocuments(source, isFile ? join(to, part.split('/').at(-1)) : to, corpus.endings ?? ENDINGS);
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return to;
}
