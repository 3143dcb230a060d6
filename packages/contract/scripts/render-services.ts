import type { OpenAPI3 } from "openapi-typescript";

type Server = { "x-service"?: string; "x-sandbox"?: boolean };

/** The services that the document names a direct server of, in its order. */
export function renderServices(description: OpenAPI3): string {
  // A lint rule holds the extensions of servers to this shape.
  const servers = (description.servers ?? []) as Server[];
  const names = servers.flatMap((server) => (server["x-sandbox"] ? [] : (server["x-service"] ?? [])));
  return [
    "/** The services that have direct addresses, in the document's order. All others are the gateway's own. */\n",
    `export const services = ${JSON.stringify(names)} as const;\n\n`,
    "export type Service = (typeof services)[number];\n",
  ].join("");
}
