import { thirdPartyNotices } from '../../../scripts/third-party.mjs';

const aPackage = (name: string, text: string) => ({
  name,
  version: '1.0.0',
  license: 'MIT',
  text,
  integrity: '',
});

describe('thirdPartyNotices', () => {
  it('prints a licence once, after the packages that have it with their copyright', () => {
    const notices = thirdPartyNotices([
      aPackage('a', 'MIT License\n\nCopyright (c) 2020 Ann\n\nPermission is granted\nto all.'),
      aPackage('b', 'MIT License\n\nCopyright (c) 2021 Ben\n\nPermission is\ngranted to all.'),
    ]);
    expect(notices).toContain(
      'a 1.0.0 (MIT)\n  Copyright (c) 2020 Ann\nb 1.0.0 (MIT)\n  Copyright (c) 2021 Ben\n-----',
    );
    expect(notices.match(/Permission is/gu)).toHaveLength(1);
  });

  it('keeps licences apart that differ in a word', () => {
    const notices = thirdPartyNotices([aPackage('a', 'Use it.'), aPackage('b', 'Do not use it.')]);
    expect(notices).toMatch(/a 1\.0\.0 \(MIT\)\n-+\n\nUse it\.[^]*b 1\.0\.0 \(MIT\)\n-+\n\nDo not use it\./u);
  });
});
