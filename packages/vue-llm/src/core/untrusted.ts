/**
 * Schemas that came over the network, such as those of tools that were posted: a validator must not run their patterns,
 * which may take exponential time. Whoever lets such a schema in adds it here.
 * @internal
 */
export const untrustedSchemas = new WeakSet<object>()
