import { serversOf } from "../preprocessors/path-servers.ts";
import { services } from "./service-named.ts";
import type { Rule, RuleContext, Server } from "./rule.ts";

/** A path names its servers, and a direct server has the paths of one service. Clients and reference use both. */
export const pathServers: Rule = () => {
  let servers: readonly Server[] = [];
  return {
    Root: {
      enter: (root, context) => {
        servers = root.servers ?? [];
        servers.forEach((server) => checkServer(server, context));
      },
    },
    Paths: {
      PathItem: (item, context) => {
        const expected = serversOf(servers, item);
        if (urlsOf(item.servers) !== urlsOf(expected ?? undefined)) {
          const said = expected === null ? "no servers of its own" : `the servers that have it: ${urlsOf(expected)}`;
          context.report({ message: `This path must have ${said}.` });
        }
      },
    },
  };
};

function checkServer({ url, "x-service": service }: Server, context: RuleContext): void {
  if (service !== undefined && (typeof service !== "string" || !services.includes(service))) {
    context.report({ message: `x-service of the server ${url} must be one of ${services.join(", ")}.` });
  }
}

function urlsOf(servers: readonly Server[] | undefined): string | undefined {
  return servers?.map(({ url }) => url).join(", ");
}
