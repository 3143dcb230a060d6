/**
 * With this proxy every request may name its own client address, so that the limit of an address does not affect a
 * suite.
 */
export const behindProxy = { TRUSTED_PROXIES: "127.0.0.1" };

/** Headers of a client whose address is new. */
export function createFreshClients(): () => Record<string, string> {
  let count = 0;
  return () => {
    count += 1;
    return { "X-Forwarded-For": `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}` };
  };
}
