import { BlockList, isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { isAddress, isPublicAddress } from './isPublicAddress'

const numRuns = propertyRuns(2000)

describe('an address of the internet', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '223.255.255.255',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2001:4860:4860::8888',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('an address that is not', () => {
  it.each([
    ['this host', '0.0.0.0'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['CGNAT', '100.64.0.1'],
    ['CGNAT', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, metadata of clouds', '169.254.169.254'],
    ['protocol assignments', '192.0.0.1'],
    ['TEST-NET-1', '192.0.2.1'],
    ['TEST-NET-2', '198.51.100.7'],
    ['TEST-NET-3', '203.0.113.7'],
    ['benchmarking', '198.19.255.255'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, written out', '0:0:0:0:0:0:0:1'],
    ['an IPv4 address that is private', '::ffff:127.0.0.1'],
    ['an IPv4 address that is private, in hexadecimal', '::ffff:7f00:1'],
    ['an IPv4 address in the old form', '::127.0.0.1'],
    ['an IPv4 address in the old form, though public', '::8.8.8.8'],
    ['translated', '::ffff:0:10.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:53aa:64c:0:0:80ff:fffe'],
    ['ISATAP of a private address', '2a00:1450:4001:80b:0:5efe:10.0.0.1'],
    ['ORCHID', '2001:1ff::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['discard only', '100::1'],
    ['unique local', 'fd00:ec2::254'],
    ['unique local', 'fc00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['no address', 'example.com'],
    ['no address', '256.1.1.1'],
    ['no address', '1.2.3'],
    ['no address', '2606:4700::1::1'],
    ['no address', '2606:4700:1:2:3:4:5:6:7'],
    ['no address', ''],
  ])('%s: %s is not public', (_, address) => expect(isPublicAddress(address)).toBe(false))
})

it.each([
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '127.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0000:0000::1]',
])('D10 the spelling %s of an address is read by the URL parser, and is not public', (spelling) => {
  const { hostname } = new URL(`http://${spelling}/`)
  expect(isAddress(hostname)).toBe(true)
  expect(isPublicAddress(hostname.replace(/^\[(.*)\]$/, '$1'))).toBe(false)
})

it.each(['127.0.0.1.', '::127.0.0.1.', '1.1.1.1.1', '1.1.1', '01.1.1.1', '256.1.1.1', ''])(
  "'%s' is no address",
  (text) => {
    expect(isAddress(text)).toBe(false)
    expect(isIP(text)).toBe(0)
  },
)

it('knows any address that Node knows, and no other text', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'01f:.') }))
  fc.assert(
    fc.property(text, (address) => {
      expect(isAddress(address)).toBe(isIP(address) > 0)
    }),
    { numRuns },
  )
})

it('agrees with the block list of Node on all of IPv4, however an IPv6 address holds it', () => {
  const list = new BlockList()
  for (const [network, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const) {
    list.addSubnet(network, bits)
  }
  const part = fc.oneof(fc.nat(255), fc.constantFrom(0, 2, 10, 15, 16, 18, 19, 31, 32, 51, 64, 88))
  const first = fc.oneof(fc.nat(255), fc.constantFrom(10, 100, 127, 169, 172, 192, 198, 203, 224))
  fc.assert(
    fc.property(first, part, part, part, (...parts) => {
      const address = parts.join('.')
      const expected = !list.check(address)
      expect(isPublicAddress(address)).toBe(expected)
      expect(isPublicAddress(`::ffff:${address}`)).toBe(expected)
      expect(isPublicAddress(new URL(`http://[64:ff9b::${address}]`).hostname.slice(1, -1))).toBe(
        expected,
      )
    }),
    { numRuns },
  )
})
