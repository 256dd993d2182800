/** Whether a host name, as `URL` gives it, is in the list: by itself, or by a `*.suffix`. */
export const isAllowedHost = (hostname: string, allowedHosts: readonly string[] = []): boolean =>
  allowedHosts.some((entry) => {
    const host = entry.toLowerCase()
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
  })
