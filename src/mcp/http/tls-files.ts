import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { HttpConfig } from '../../config/settings/http.config.js';
import { codeIn } from '../../core/errors.js';

/** A certificate with its chain, and its private key, in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InvalidConfigurationError([`${setting}: ${file} can't be read (${codeIn(error)}).`]);
  }
}

/** Reads the files of the settings; null without them. @throws InvalidConfigurationError */
export function readTlsFiles({ tlsCert, tlsKey }: Pick<HttpConfig, 'tlsCert' | 'tlsKey'>): TlsFiles | null {
  if (tlsCert === '' && tlsKey === '') return null;
  if (tlsCert === '' || tlsKey === '')
    throw new InvalidConfigurationError(['Set both PITH_HTTP_TLS_CERT and PITH_HTTP_TLS_KEY, or neither.']);
  const files = { cert: read('PITH_HTTP_TLS_CERT', tlsCert), key: read('PITH_HTTP_TLS_KEY', tlsKey) };
  try {
    createSecureContext(files);
    return files;
  } catch (error) {
    throw new InvalidConfigurationError([
      `PITH_HTTP_TLS_CERT and PITH_HTTP_TLS_KEY can't be used: they need PEM, the key must belong to the certificate, and it must have no passphrase (${(error as Error).message}).`,
    ]);
  }
}
