import type { PathItem, Server } from "../rules/rule.ts";

/** A path that not every server has gets those that have it, from the servers of the document. */
export function pathServers() {
  let servers: readonly Server[] = [];
  return {
    Root: (root: { servers?: readonly Server[] }): void => {
      servers = root.servers ?? [];
    },
    Paths: {
      PathItem: (item: PathItem): void => {
        const own = serversOf(servers, item);
        if (own !== null) {
          item.servers ??= structuredClone(own);
        }
      },
    },
  };
}

/**
 * The gateway's servers and the direct ones of the path's service; of a path that only the sandbox has, those of the
 * sandbox. Null for a path that is where the document says that all are: at the gateway, in both environments.
 */
export function serversOf(servers: readonly Server[], item: PathItem): Server[] | null {
  const { "x-service": service, "x-sandbox": isOfSandbox } = item;
  const hasDirect = servers.some((server) => isDirect(server) && server["x-service"] === service);
  if (isOfSandbox !== true && !hasDirect) {
    return null;
  }
  return servers.filter(
    (server) =>
      (!isDirect(server) || server["x-service"] === service) && (isOfSandbox !== true || server["x-sandbox"] === true),
  );
}

function isDirect(server: Server): boolean {
  return server["x-service"] !== undefined;
}
