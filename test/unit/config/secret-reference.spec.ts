import { writeFileSync } from 'node:fs';
import { resolveReferences } from '../../../src/config/secret-reference.js';
import { testFolder } from '../../support/test-folder.js';

describe('resolveReferences', () => {
  it('reads variables and files, also after a scheme, and keeps other values', () => {
    const folder = testFolder();
    process.env['PROVIDER_TEST_TOKEN'] = 'abc';
    writeFileSync(folder.file('key'), 'def\n');
    const values = {
      Authorization: 'Bearer env:PROVIDER_TEST_TOKEN',
      'X-Key': `file:${folder.file('key')}`,
      Accept: 'text/plain',
    };
    expect(resolveReferences(values, 'providers.crm')).toEqual({
      Authorization: 'Bearer abc',
      'X-Key': 'def',
      Accept: 'text/plain',
    });
    delete process.env['PROVIDER_TEST_TOKEN'];
    folder.remove();
  });

  it.each([
    ['env:PROVIDER_NOT_SET', 'providers.crm: KEY: the variable PROVIDER_NOT_SET is not set.'],
    ['file:/not/there', "providers.crm: KEY: /not/there can't be read."],
  ])('refuses %s if there is nothing', (value, problem) => {
    expect(() => resolveReferences({ KEY: value }, 'providers.crm')).toThrow(problem);
  });
});
