import type { IncomingMessage } from "node:http";

/** Whether a request names its host twice (RFC 9112, 3.2). Node keeps the first and drops the others: only the raw list tells. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): boolean {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length > 1;
}
