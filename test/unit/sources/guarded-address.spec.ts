import {
  checkedAddresses,
  InvalidAddressError,
  isPublicAddress,
  parseAddress,
  pinnedLookup,
  RefusedAddressError,
} from '../../../src/sources/guarded-address.js';

const resolving = (...addresses: string[]) => ({
  allowedHosts: [],
  resolve: () => Promise.resolve(addresses),
});

describe('isPublicAddress', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::ffff:0.0.0.0',
    '::ffff:0:127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::',
    '64:ff9b::c0a8:1',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:808:808::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2130706433',
    'localhost',
    '',
  ])('is false for %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('parseAddress', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://docs.example.com/',
    'gopher://docs.example.com/',
    'data:text/html,hello',
    'docs.example.com',
    '//docs.example.com/',
    '',
    'https://user@docs.example.com/',
    'https://user:secret@docs.example.com/',
    'https://docs.example.com@127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://１２７.0.0.1/',
    'http://134744072/',
  ])('refuses %s', (address) => {
    expect(() => parseAddress(address)).toThrow(InvalidAddressError);
  });

  it('does not repeat a password', () => {
    expect(() => parseAddress('https://user:secret@docs.example.com/')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it('reads addresses of http and https', () => {
    expect(parseAddress('https://Docs.Example.com:443/a').href).toBe('https://docs.example.com/a');
    expect(parseAddress('http://192.0.2.1:8080/').host).toBe('192.0.2.1:8080');
  });
});

describe('checkedAddresses', () => {
  it.each([
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST:8080/',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://metadata.google.internal./',
    'http://docs.corp/',
    'http://intranet/',
    'http://1.0.0.127.in-addr.arpa/',
  ])('refuses %s by its name, without a query', async (address) => {
    const resolve = (): Promise<string[]> => Promise.reject(new Error('asked'));
    await expect(checkedAddresses(new URL(address), { allowedHosts: [], resolve })).rejects.toThrow(
      RefusedAddressError,
    );
  });

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/',
  ])('refuses %s', async (address) => {
    await expect(checkedAddresses(new URL(address), resolving('8.8.8.8'))).rejects.toThrow(
      RefusedAddressError,
    );
  });

  it('refuses a host if one of its addresses is not public', async () => {
    await expect(
      checkedAddresses(new URL('https://docs.example.com/'), resolving('8.8.8.8', '10.0.0.1')),
    ).rejects.toThrow('Pith does not connect to docs.example.com: 10.0.0.1 is not a public address.');
  });

  it.each([[[]], [['not an address']]])('refuses a host that resolves to %j', async (addresses) => {
    await expect(
      checkedAddresses(new URL('https://docs.example.com/'), resolving(...addresses)),
    ).rejects.toThrow(RefusedAddressError);
  });

  it('gives the addresses of a public host', async () => {
    await expect(
      checkedAddresses(new URL('https://docs.example.com/'), resolving('8.8.8.8', '2606:4700::1')),
    ).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it.each([
    ['docs.internal:8080', 'http://docs.internal:8080/'],
    ['Docs.Internal', 'https://docs.internal/'],
    ['docs.internal:443', 'https://docs.internal/'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['[::1]:8080', 'http://[::1]:8080/'],
  ])('allows %s as %s', async (allowed, address) => {
    const policy = { ...resolving('127.0.0.1'), allowedHosts: [allowed] };
    await expect(checkedAddresses(new URL(address), policy)).resolves.toHaveLength(1);
  });

  it.each([
    ['docs.internal:8080', 'http://docs.internal:8081/'],
    ['docs.internal', 'http://docs.internal:8080/'],
    ['docs.internal', 'http://a.docs.internal/'],
    ['internal', 'http://docs.internal/'],
    ['*', 'http://docs.internal/'],
  ])('does not take %s for %s', async (allowed, address) => {
    const policy = { ...resolving('127.0.0.1'), allowedHosts: [allowed] };
    await expect(checkedAddresses(new URL(address), policy)).rejects.toThrow(RefusedAddressError);
  });
});

describe('pinnedLookup', () => {
  const lookup = pinnedLookup([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);

  it('gives the checked addresses for every name', () => {
    const callback = jest.fn();
    lookup('rebound.example', { all: true }, callback);
    lookup('rebound.example', {}, callback);
    expect(callback.mock.calls).toEqual([
      [
        null,
        [
          { address: '8.8.8.8', family: 4 },
          { address: '2606:4700::1', family: 6 },
        ],
      ],
      [null, '8.8.8.8', 4],
    ]);
  });

  it('fails without one', () => {
    const callback = jest.fn();
    pinnedLookup([])('docs.example.com', {}, callback);
    expect(callback).toHaveBeenCalledWith(expect.any(Error), '');
  });
});
