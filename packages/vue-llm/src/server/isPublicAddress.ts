/** The networks of IPv4 that nobody on the internet answers from (IANA special-purpose registry, RFC 6890). */
const reserved = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'
)
  .split(' ')
  .map((network) => {
    const [start = '', bits] = network.split('/')
    return { start: toNumber(start), size: 2 ** (32 - Number(bits)) }
  })

/** Of the global unicast space of IPv6 (2000::/3): protocol assignments with Teredo, documentation, 6to4. */
const reservedPrefixes = [/^2001:0[01]..:/, /^2001:0db8:/, /^2002:/, /^3fff:0...:/]

/**
 * Whether an IP address, as DNS or the URL parser writes it, is one of the public internet: not private, shared (CGNAT),
 * loopback, link-local (where clouds keep their metadata), documentation, multicast or reserved. An IPv4 address within
 * an IPv6 one counts as what it is; what is no IP address is not public.
 * @internal
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const value = toNumber(address)
    return !reserved.some(({ start, size }) => value >= start && value < start + size)
  }
  const groups = toGroups(address)
  if (!groups) return false
  const text = groups.map((group) => group.toString(16).padStart(4, '0')).join(':')
  // IPv4-mapped, and NAT64 as networks without IPv4 have it.
  if (/^(0000:){5}ffff:|^0064:ff9b:(0000:){4}/.test(text)) {
    return isPublicAddress(embedded(groups[6], groups[7]))
  }
  // ISATAP holds an IPv4 address in its last two groups.
  if (/^(.{5}){4}0[02]00:5efe:/.test(text) && !isPublicAddress(embedded(groups[6], groups[7]))) {
    return false
  }
  return /^[23]/.test(text) && !reservedPrefixes.some((prefix) => prefix.test(text))
}

/** Whether a host is an IP address in itself; IPv6 with or without its brackets. @internal */
export const isAddress = (host: string): boolean =>
  isIPv4(host) || !!toGroups(host.replace(/^\[(.*)\]$/, '$1'))

const isIPv4 = (text: string): boolean =>
  /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(text) &&
  text.split('.').every((part) => Number(part) < 256)

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

const embedded = (high = 0, low = 0): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The eight groups of an IPv6 address; `undefined` for anything else, also with a zone. */
function toGroups(address: string): number[] | undefined {
  const dotted = /[^:]*\..*$/.exec(address)?.[0]
  if (dotted && !isIPv4(dotted)) return undefined
  const value = toNumber(dotted ?? '0.0.0.0')
  const text = dotted
    ? address.slice(0, -dotted.length) +
      [Math.floor(value / 65536), value % 65536].map((group) => group.toString(16)).join(':')
    : address
  const halves = text.split('::')
  if (halves.length > 2 || !/^[\da-f:]+$/i.test(text)) return undefined
  const [head = [], tail] = halves.map((half) => (half ? half.split(':') : []))
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail ? missing < 1 : missing) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])]
  return groups.every((group) => /^.{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}
